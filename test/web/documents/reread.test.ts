import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { chromiumPath, whyNoBrowser } from "../../../tools/screenshots/chromium.ts";
import { startTestServer, type TestServer } from "../../start-server.ts";
import { barriersOf, overflowOf } from "../barriers.ts";
import { openBrowser } from "../open-browser.ts";
import { openConsole } from "../open-console.ts";

setDefaultTimeout(180_000);

let server: TestServer;
let pages: Bun.Server<undefined>;
let browser: Browser;
let pageText = "The old page.";

const addFile = async (name: string): Promise<string> => {
  const form = new FormData();
  form.set("file", new File(["# Opening hours\n\nThe reading room opens at nine."], name, { type: "text/markdown" }));
  return ((await (await server.call("/api/ingest", { method: "POST", body: form })).json()) as { id: string }).id;
};
const get = async (id: string) => (await server.ask("GET", `/api/document/${id}`)).body;
const untilReadAgain = async (id: string, before: string): Promise<void> => {
  for (;;) {
    const { status, updatedAt, originalText } = await get(id);
    if (status === "processed" && updatedAt !== before && originalText.includes(pageText)) return;
    if (status === "failed") throw new Error("reading failed");
    await Bun.sleep(50);
  }
};

describe.skipIf(chromiumPath === null)(
  `reading documents again${chromiumPath === null ? `: skipped, ${whyNoBrowser}` : ""}`,
  () => {
    beforeAll(async () => {
      server = await startTestServer({ fetch: { allowPrivateAddresses: true } });
      pages = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: () =>
          new Response(
            `<!doctype html><title>Hours</title><main><h1>Hours</h1><p>${pageText} ${"It is open on most days. ".repeat(20)}</p></main>`,
            { headers: { "content-type": "text/html" } },
          ),
      });
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await server?.stop();
      await pages?.stop(true);
    });

    test("a page is fetched again: the same document, the text that was changed by hand is gone", async () => {
      const metadata = { source: "desk", year: 2026 };
      const { id } = (await server.ask("POST", "/api/ingest", { json: { websiteUrl: pages.url.href, metadata } })).body;
      await server.ask("PUT", `/api/document/${id}`, { json: { text: "Changed by hand.", name: "Hours" } });
      const before = await get(id);
      pageText = "The page of today.";
      const { page, expectClean, close } = await openConsole(browser, server, { path: `/documents/${id}` });
      await page.getByText("Changed by hand.").waitFor();
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Read again" }).click();
      await page.getByText("From the address that it came from").waitFor();
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.getByRole("dialog").getByRole("button", { name: "Read again" }).click();
      await page.getByText("The page of today.").waitFor();
      await untilReadAgain(id, before.updatedAt);
      const after = await get(id);
      expect([after.name, after.metadata]).toEqual(["Hours", metadata]);
      expect((await server.ask("GET", "/api/document")).body).toHaveLength(1);
      expectClean();
      await close();
      await server.ask("DELETE", `/api/document/${id}`);
    });

    test("many at once: pages are, files and texts stay and the dialog says so; an external id stays", async () => {
      const add = async (metadata: object | null): Promise<string> =>
        (await server.ask("POST", "/api/ingest", { json: { websiteUrl: pages.url.href, metadata } })).body.id;
      const known = await add({ externalId: "desk-7" });
      const plain = await add(null);
      const file = await addFile("plain.md");
      const text = (await server.ask("POST", "/api/ingest", { json: { name: "Note", text: "A note." } })).body.id;
      pageText = "The new page.";
      const before = await Promise.all([known, plain, file, text].map(get));
      const { page, expectClean, close } = await openConsole(browser, server, { path: "/documents" });
      await page.locator("tbody tr").nth(3).waitFor();
      await page.getByRole("checkbox", { name: "Select all on this page" }).click();
      await page.getByRole("button", { name: "Read again" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("2 are fetched again from where they came from.").waitFor();
      await dialog.getByText("1 came as a file: the server reads it again only where reading failed.").waitFor();
      await dialog.getByText("1 came as text: the server has no original of it, so it stays as it is.").waitFor();
      await dialog.getByRole("button", { name: "Read 2 again" }).click();
      await page.getByText("2 documents are read again.").waitFor();
      for (const [at, id] of [known, plain].entries()) await untilReadAgain(id, before[at].updatedAt);
      for (const id of [known, plain]) expect((await get(id)).originalText).toContain("The new page.");
      expect([(await get(known)).metadata, (await get(plain)).metadata]).toEqual([{ externalId: "desk-7" }, null]);
      expect((await get(file)).updatedAt).toBe(before[2].updatedAt);
      expect((await get(text)).updatedAt).toBe(before[3].updatedAt);
      expect((await server.ask("GET", "/api/document")).body).toHaveLength(4);
      expectClean();
      await close();
    });

    test("of a text alone, the dialog says that there is no original", async () => {
      const { id } = (await server.ask("POST", "/api/ingest", { json: { name: "Only text", text: "A text." } })).body;
      const { page, close } = await openConsole(browser, server, { path: `/documents/${id}` });
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Read again" }).click();
      await page.getByText("It came as text").waitFor();
      expect(await page.getByRole("dialog").getByRole("button", { name: "Read again" }).count()).toBe(0);
      await close();
    });

    test("the audit log can be turned round, and the address keeps it", async () => {
      const { page, expectClean, close } = await openConsole(browser, server, { path: "/settings?tab=audit" });
      const first = page.locator(".audit tbody tr").first();
      await first.waitFor();
      const newest = await first.textContent();
      await page.getByRole("button", { name: "When, newest first. Turn the order round" }).click();
      await page.locator('th[aria-sort="ascending"]').waitFor();
      await page.locator(".audit tbody tr").first().filter({ hasNotText: "Signed in" }).waitFor();
      expect(await first.textContent()).not.toBe(newest);
      await page.reload();
      await page.getByRole("button", { name: "When, oldest first. Turn the order round" }).waitFor();
      expectClean();
      await close();
    });
  },
);
