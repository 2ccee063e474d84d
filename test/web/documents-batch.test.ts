import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { barriersOf } from "./barriers.ts";
import { chromiumPath, whyNoBrowser } from "./chromium.ts";
import { type BinaryServer, startBinary } from "./journeys/start-binary.ts";
import { expectClean, openBrowser } from "./open-browser.ts";
import { dropFiles, fixturePath, until, visitConsole } from "./visit-console.ts";

setDefaultTimeout(240_000);

let server: BinaryServer;
let browser: Browser;
let folder: string;

const total = async (query: string): Promise<number> => {
  const answer = await server.call(`/api/document?limit=1&${query}`);
  await answer.arrayBuffer();
  return Number(answer.headers.get("x-total-count"));
};

describe.skipIf(chromiumPath === null)(
  `many documents in the console${chromiumPath === null ? `: skipped, ${whyNoBrowser}` : ""}`,
  () => {
    beforeAll(async () => {
      server = await startBinary();
      browser = await openBrowser();
      folder = await mkdtemp(join(tmpdir(), "carrel-batch-"));
    });
    afterAll(async () => {
      await browser?.close();
      await server?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    test("of 200 files with five broken ones, 195 get ready and five say why and what to do", async () => {
      const paths = await Promise.all(
        Array.from({ length: 195 }, async (_, at) => {
          const path = join(folder, `note-${String(at).padStart(3, "0")}.md`);
          await Bun.write(path, `# Note ${at}\n\nThe heron number ${at} fishes at the weir.\n`);
          return path;
        }),
      );
      await Bun.write(join(folder, "torn.docx"), "PK\u0003\u0004 and then nothing");
      await Bun.write(join(folder, "torn.pdf"), "%PDF-1.7\nno more");
      const broken = ["password.pdf", "loremipsum-flat.pdf", "empty.txt"].map(fixturePath);
      const { page, faults, context } = await visitConsole(browser, server, "/documents");
      // They lie among the others.
      const all = paths.toSpliced(100, 0, ...broken, join(folder, "torn.docx"), join(folder, "torn.pdf"));
      await dropFiles(page, all);
      await page.getByText(/of 200 read/).waitFor();
      await page.getByText("195 documents are ready, 5 failed.").first().waitFor();
      const failures = page.getByRole("region", { name: "Failed" }).locator("li");
      expect((await failures.locator(".name").allTextContents()).sort()).toEqual(
        ["empty.txt", "loremipsum-flat.pdf", "password.pdf", "torn.docx", "torn.pdf"].sort(),
      );
      const reasons = await failures.locator(".why").allTextContents();
      expect(reasons.sort()).toEqual([
        "locked with a password",
        "no text in it",
        "only pictures: install tesseract",
        "the file is broken",
        "the file is broken",
      ]);
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole("button", { name: "How: loremipsum-flat.pdf" }).first().click();
      const dialog = page.getByRole("dialog");
      expect(await dialog.textContent()).toContain("apt install tesseract-ocr");
      await dialog.getByRole("button", { name: "Try again" }).click();
      // Without tesseract it fails again.
      await until(async () => (await total("status=failed")) === 5);
      await page.getByText("195 documents are ready, 5 failed.").first().waitFor();
      expect(await total("status=processed")).toBe(195);
      expectClean(faults, server.url);
      await context.close();
    });

    test("chosen rows are deleted together: not while it can be undone", async () => {
      const { page, context } = await visitConsole(browser, server, "/documents?state=failed");
      await until(async () => (await page.locator("tbody tr").count()) === 5);
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
      await page.getByText("5 selected").waitFor();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByText("5 documents deleted.").waitFor();
      expect(await page.locator("tbody tr").count()).toBe(0);
      expect(await total("")).toBe(200);
      await page.getByRole("button", { name: "Undo" }).click();
      await until(async () => (await page.locator("tbody tr").count()) === 5);
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
      await page.getByRole("button", { name: "Delete" }).click();
      // The time is up when the message is closed, as after ten seconds.
      await page.locator(".toast").getByRole("button", { name: "Close" }).click();
      await until(async () => (await total("")) === 195);
      await context.close();
    });

    test("a busy server is waited for; the page asks before it is left meanwhile", async () => {
      const { page, context } = await visitConsole(browser, server, "/documents");
      let refused = 0;
      const problem = { status: 503, detail: "Too many files are waiting to be read. Try again later." };
      await page.route("**/api/ingest", async (route) => {
        refused += 1;
        if (refused > 3) return await route.continue();
        await route.fulfill({ status: 503, headers: { "retry-after": "1" }, json: problem });
      });
      await dropFiles(page, [fixturePath("fake.docx")]);
      await page.getByText("The server is busy").waitFor();
      const asked = page.waitForEvent("dialog");
      await page.locator("h1").click();
      const reloading = page.reload({ timeout: 2_000 }).catch(() => {});
      const question = await asked;
      expect(question.type()).toBe("beforeunload");
      await question.dismiss();
      await reloading;
      await page.getByText("1 document is ready.").first().waitFor();
      expect(refused).toBe(4);
      await context.close();
    });

    test("10,000 documents: a page of rows at a time, found by name, filter and metadata", async () => {
      const lines = Array.from({ length: 9_805 }, (_, at) =>
        JSON.stringify({
          name: `Report ${at}`,
          text: `The river in report ${at}.`,
          metadata: { year: 2000 + (at % 10) },
        }),
      );
      const answer = await server.call("/api/ingest/batch", {
        method: "POST",
        headers: { "content-type": "application/x-ndjson" },
        body: lines.join("\n"),
      });
      await answer.text();
      await until(async () => (await total("status=processed")) >= 10_000);
      const { page, faults, context } = await visitConsole(browser, server, "/documents");
      await page.locator("tbody tr").nth(99).waitFor();
      const rows = () => page.locator("tbody tr").count();
      expect(await rows()).toBe(100);
      await page.getByText(/^1–100 of 10,00\d$/).waitFor();
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await page.getByText(/^101–200 of/).waitFor();
      expect(await rows()).toBe(100);
      await page.reload();
      await page.getByText(/^101–200 of/).waitFor();
      await page.getByRole("searchbox", { name: "Search names" }).fill("report 123");
      await until(async () => (await rows()) === 11);
      await page.getByRole("button", { name: "Metadata" }).click();
      await page.getByRole("textbox", { name: "Field" }).fill("year");
      await page.getByRole("textbox", { name: "Value" }).fill("2003");
      await page.keyboard.press("Enter");
      await until(async () => (await rows()) === 2);
      expect((await page.locator("tbody th").allTextContents()).sort()).toEqual(["Report 123", "Report 1233"]);
      await page.getByRole("button", { name: "Remove the condition year is 2003" }).click();
      await until(async () => (await rows()) === 11);
      expectClean(faults, server.url);
      await context.close();
    });
  },
);
