import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../../temporary-folder.ts";
import { eventually, until } from "../../until.ts";
import { barriersOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { dropFiles, fixturePath } from "../give-files.ts";
import { type BinaryServer, startBinary } from "../journeys/start-binary.ts";
import { holdMessage, openConsole } from "../open-console.ts";
import { mentions, thereAre } from "../shows.ts";

let server: BinaryServer;

const total = async (query: string): Promise<number> => {
  const answer = await server.call(`/api/document?limit=1&${query}`);
  await answer.arrayBuffer();
  return Number(answer.headers.get("x-total-count"));
};

await describeInBrowser("many documents in the console", async (browser) => {
  server = await startBinary();
  const folder = await temporaryFolder("batch");
  return () => {
    test("of 60 files with five broken ones, 55 get ready and five say why and what to do", async () => {
      const paths = await Promise.all(
        Array.from({ length: 55 }, async (_, at) => {
          const path = join(folder, `note-${String(at).padStart(3, "0")}.md`);
          await Bun.write(path, `# Note ${at}\n\nThe heron number ${at} fishes at the weir.\n`);
          return path;
        }),
      );
      await Bun.write(join(folder, "torn.docx"), "PK\u0003\u0004 and then nothing");
      await Bun.write(join(folder, "torn.pdf"), "%PDF-1.7\nno more");
      const broken = ["password.pdf", "loremipsum-flat.pdf", "empty.txt"].map(fixturePath);
      const { page } = await openConsole(browser, server, { path: "/documents" });
      // They lie among the others.
      const all = paths.toSpliced(30, 0, ...broken, join(folder, "torn.docx"), join(folder, "torn.pdf"));
      await dropFiles(page, all);
      await page.getByText(/of 60 read/).waitFor();
      await page.getByText("55 documents are ready, 5 failed.").first().waitFor();
      const failures = page.getByRole("region", { name: "Failed" }).locator("li");
      await eventually(async () => {
        expect((await failures.locator(".name").allTextContents()).sort()).toEqual(
          ["empty.txt", "loremipsum-flat.pdf", "password.pdf", "torn.docx", "torn.pdf"].sort(),
        );
        expect((await failures.locator(".why").allTextContents()).sort()).toEqual([
          "locked with a password",
          "no text in it",
          "only pictures: install tesseract",
          "the file is broken",
          "the file is broken",
        ]);
      });
      // "Why this answer" has a frame, and once lent it to these by a class of the same name.
      expect(await page.evaluate(`getComputedStyle(document.querySelector(".upload-list .why")).borderTopStyle`)).toBe(
        "none",
      );
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole("button", { name: "How: loremipsum-flat.pdf" }).first().click();
      const dialog = page.getByRole("dialog");
      await mentions(dialog, "apt install tesseract-ocr");
      const retried = page.waitForResponse((answer) => answer.url().endsWith("/retry"));
      await dialog.getByRole("button", { name: "Try again" }).click();
      await retried;
      // Without tesseract it fails again.
      await until(async () => (await total("status=failed")) === 5);
      await page.getByText("55 documents are ready, 5 failed.").first().waitFor();
      expect(await total("status=processed")).toBe(55);
    });

    test("chosen rows are deleted together: not while it can be undone", async () => {
      const { page } = await openConsole(browser, server, { path: "/documents?state=failed" });
      await until(async () => (await page.locator("tbody tr").count()) === 5);
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
      await page.getByText("5 selected").waitFor();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByText("5 documents deleted.").waitFor();
      await holdMessage(page);
      await thereAre(page.locator("tbody tr"), 0);
      expect(await total("")).toBe(60);
      await page.getByRole("button", { name: "Undo" }).click();
      await until(async () => (await page.locator("tbody tr").count()) === 5);
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
      await page.getByRole("button", { name: "Delete" }).click();
      // The time is up when the message is closed, as after ten seconds.
      await page.locator(".toast").getByRole("button", { name: "Close" }).click();
      await until(async () => (await total("")) === 55);
    });

    test("a busy server is waited for; the page asks before it is left meanwhile", async () => {
      const { page } = await openConsole(browser, server, { path: "/documents" });
      let isBusy = true;
      let refused = 0;
      let taken = 0;
      const problem = { status: 503, detail: "Too many files are waiting to be read. Try again later." };
      await page.route("**/api/ingest", async (route) => {
        if (!isBusy) {
          taken += 1;
          return await route.continue();
        }
        refused += 1;
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
      // The file is offered again and again, and is stored once.
      await until(() => refused >= 3, "the file is offered a third time");
      isBusy = false;
      await page.getByText("1 document is ready.").first().waitFor();
      expect(taken).toBe(1);
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
      await until(async () => (await total("status=processed")) >= 9_805);
      const { page } = await openConsole(browser, server, { path: "/documents" });
      await page.locator("tbody tr").nth(99).waitFor();
      const rows = () => page.locator("tbody tr").count();
      await eventually(async () => expect(await rows()).toBe(100));
      await page.getByText(/^1–100 of (9|10),\d{3}$/).waitFor();
      // By name they are ordered up to a bound, which is said; filters lead below it.
      await page.goto(`${server.url}/documents?order=a-z`);
      await page.getByText(/In this order Carrel lists up to 1,000 documents/).waitFor();
      expect(await page.getByRole("button", { name: /^Name/ }).count()).toBe(0);
      await page.getByRole("checkbox", { name: "Select all on this page" }).check();
      await page.getByRole("button", { name: /^Select the first 1,000 of (9|10),\d{3} that match$/ }).click();
      await page.getByText("1,000 selected").waitFor();
      await page.getByRole("button", { name: "Clear" }).click();
      await page.getByRole("link", { name: "Next", exact: true }).click();
      await page.getByText(/^101–200 of/).waitFor();
      await eventually(async () => expect(await rows()).toBe(100));
      await page.reload();
      await page.getByText(/^101–200 of/).waitFor();
      await page.getByRole("searchbox", { name: "Search names" }).fill("report 123");
      await until(async () => (await rows()) === 11);
      await eventually(async () =>
        expect((await page.locator("tbody th").allTextContents()).slice(0, 2)).toEqual(["Report 123", "Report 1230"]),
      );
      await page.getByRole("button", { name: "Metadata" }).click();
      await page.getByRole("textbox", { name: "Field" }).fill("year");
      await page.getByRole("textbox", { name: "Value" }).fill("2003");
      await page.keyboard.press("Enter");
      await until(async () => (await rows()) === 2);
      await eventually(async () =>
        expect((await page.locator("tbody th").allTextContents()).sort()).toEqual(["Report 123", "Report 1233"]),
      );
      await page.getByRole("button", { name: "Remove the condition year is 2003" }).click();
      await until(async () => (await rows()) === 11);
    });
  };
});
