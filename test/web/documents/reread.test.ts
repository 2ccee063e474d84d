import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import { chromiumPath, whyNoBrowser } from "../../../tools/screenshots/chromium.ts";
import { formOf } from "../../call-server.ts";
import { startTestServer, type TestServer } from "../../start-server.ts";
import { eventually } from "../../until.ts";
import { barriersOf, overflowOf } from "../barriers.ts";
import { endVisits, openBrowser } from "../open-browser.ts";
import { openConsole } from "../open-console.ts";

setDefaultTimeout(180_000);

let server: TestServer;
let pages: Bun.Server<undefined>;
let browser: Browser;
/** What the page says; null where it is gone. */
let pageText: string | null = "The old page.";

const addFile = async (name: string): Promise<string> => {
  const form = formOf({
    file: new File(["# Opening hours\n\nThe reading room opens at nine."], name, { type: "text/markdown" }),
  });
  return ((await (await server.call("/api/ingest", { method: "POST", body: form })).json()) as { id: string }).id;
};
const get = async (id: string) => (await server.ask("GET", `/api/document/${id}`)).body;
const untilReadAgain = (id: string, before: string) =>
  eventually(async () => {
    const read = await get(id);
    expect([read.status, read.updatedAt === before]).toEqual(["processed", false]);
    return read;
  });
/** Opens the dialog from the menu of the document that is shown. */
const openDialog = async (page: Page): Promise<Locator> => {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Read again" }).click();
  return page.getByRole("dialog");
};

describe.skipIf(chromiumPath === null)(
  `reading documents again${chromiumPath === null ? `: skipped, ${whyNoBrowser}` : ""}`,
  () => {
    beforeAll(async () => {
      server = await startTestServer({ fetch: { allowPrivateAddresses: true } }, { isKept: true });
      pages = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: () => {
          if (pageText === null) return new Response("It is gone.", { status: 404 });
          return new Response(
            `<!doctype html><title>Hours</title><main><h1>Hours</h1><p>${pageText} ${"It is open on most days. ".repeat(20)}</p></main>`,
            { headers: { "content-type": "text/html" } },
          );
        },
      });
      browser = await openBrowser();
    });
    afterEach(endVisits);
    afterAll(async () => {
      await server?.stop();
      await pages?.stop(true);
    });

    test("a page is fetched again: the same document, the text that was changed by hand is gone", async () => {
      const metadata = { source: "desk", year: 2026 };
      const { id } = (await server.ask("POST", "/api/ingest", { json: { websiteUrl: pages.url.href, metadata } })).body;
      await server.ask("PUT", `/api/document/${id}`, { json: { text: "Changed by hand.", name: "Hours" } });
      const before = await get(id);
      pageText = "The page of today.";
      const { page } = await openConsole(browser, server, { path: `/documents/${id}` });
      await page.getByText("Changed by hand.").waitFor();
      const dialog = await openDialog(page);
      await dialog.getByText("From the address that it came from").waitFor();
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await dialog.getByRole("button", { name: "Read again" }).click();
      await page.getByText("The page of today.").waitFor();
      const after = await untilReadAgain(id, before.updatedAt);
      expect([after.name, after.metadata]).toEqual(["Hours", metadata]);
      expect((await server.ask("GET", "/api/document")).body).toHaveLength(1);
      await server.ask("DELETE", `/api/document/${id}`);
    });

    test("many at once, from wherever they came; what they are called by stays, and nothing is added to it", async () => {
      const add = async (metadata: object | null): Promise<string> =>
        (await server.ask("POST", "/api/ingest", { json: { websiteUrl: pages.url.href, metadata } })).body.id;
      const known = await add({ externalId: "desk-7" });
      const plain = await add(null);
      const file = await addFile("plain.md");
      const text = (await server.ask("POST", "/api/ingest", { json: { name: "Note", text: "A note." } })).body.id;
      const ids = [known, plain, file, text];
      pageText = "The new page.";
      const before = await Promise.all(ids.map(get));
      const { page } = await openConsole(browser, server, { path: "/documents" });
      await page.locator("tbody tr").nth(3).waitFor();
      await page.getByRole("checkbox", { name: "Select all on this page" }).click();
      await page.getByRole("button", { name: "Read again" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("2 are fetched again from where they came from.").waitFor();
      await dialog.getByText("1 is read again from its file").waitFor();
      await dialog.getByText("1 came as text: it is cut into passages again.").waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Read 4 again" }).click();
      await page.getByText("4 documents are read again.").waitFor();
      const after = await Promise.all(ids.map((id, at) => untilReadAgain(id, before[at].updatedAt)));
      for (const each of after.slice(0, 2)) expect(each.originalText).toContain("The new page.");
      for (const at of [2, 3]) expect(after[at].originalText).toBe(before[at].originalText);
      expect(after.map(({ name, metadata }) => [name, metadata])).toEqual(
        before.map(({ name, metadata }) => [name, metadata]),
      );
      expect((await server.ask("GET", "/api/document")).body).toHaveLength(4);
    });

    test("where reading fails, the document says why and shows what it held", async () => {
      pageText = "The page that goes.";
      const { id } = (await server.ask("POST", "/api/ingest", { json: { websiteUrl: pages.url.href } })).body;
      pageText = null;
      const { page } = await openConsole(browser, server, { path: `/documents/${id}` });
      await (await openDialog(page)).getByRole("button", { name: "Read again" }).click();
      await page.getByRole("button", { name: "How", exact: true }).click();
      await page.getByRole("dialog").getByText("404").waitFor();
      await page.keyboard.press("Escape");
      await page.getByText("The page that goes.").waitFor();
      expect(await get(id)).toMatchObject({ status: "failed", originalText: expect.stringContaining("that goes") });
    });

    test("a text alone is cut again", async () => {
      const { id, updatedAt } = (
        await server.ask("POST", "/api/ingest", { json: { name: "Only text", text: "A text." } })
      ).body;
      const { page } = await openConsole(browser, server, { path: `/documents/${id}` });
      const dialog = await openDialog(page);
      await dialog.getByText("It came as text: that is cut into passages again").waitFor();
      expect(await dialog.getByText("changed by hand").count()).toBe(0);
      await dialog.getByRole("button", { name: "Read again" }).click();
      expect((await untilReadAgain(id, updatedAt)).originalText).toBe("A text.");
    });

    test("the audit log can be turned round, and the address keeps it", async () => {
      const { page } = await openConsole(browser, server, { path: "/settings?tab=audit" });
      const first = page.locator(".audit tbody tr").first();
      await first.waitFor();
      const newest = await first.textContent();
      await page.getByRole("button", { name: "When, newest first. Turn the order round" }).click();
      await page.locator('th[aria-sort="ascending"]').waitFor();
      await page.locator(".audit tbody tr").first().filter({ hasNotText: "Signed in" }).waitFor();
      expect(await first.textContent()).not.toBe(newest);
      await page.reload();
      await page.getByRole("button", { name: "When, oldest first. Turn the order round" }).waitFor();
    });
  },
);
