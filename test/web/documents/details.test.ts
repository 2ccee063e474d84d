import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { TestServer } from "../../start-server.ts";
import { eventually } from "../../until.ts";
import { barriersOf, overflowOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { holdMessage, openConsole } from "../open-console.ts";
import { mentions } from "../shows.ts";
import { startPageServer } from "../start-page-server.ts";

let server: TestServer;
let partitionId = "";

const add = async (name: string): Promise<string> =>
  (await server.ask("POST", "/api/ingest", { json: { name, text: "A text.", metadata: { source: "a" } } })).body.id;
const stored = async (id: string) => {
  const { name, partitionId: at, metadata } = (await server.ask("GET", `/api/document/${id}`)).body;
  return { name, partitionId: at, metadata };
};
const openEditing = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Edit details" }).click();
  await page.getByRole("dialog").waitFor();
};
const field = (page: Page) => page.getByRole("textbox", { name: "Metadata" });
const save = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Save" }).click();

await describeInBrowser("details of a document in the console", async (browser) => {
  server = await startPageServer();
  partitionId = (await server.ask("POST", "/api/partition", { json: { name: "House" } })).body.id;
  return () => {
    test("name, partition and metadata are changed at once, and put back by Undo", async () => {
      const id = await add("Draft");
      const { page } = await openConsole(browser, server, { path: `/documents/${id}` });
      await openEditing(page);
      await eventually(async () => expect(JSON.parse(await field(page).inputValue())).toEqual({ source: "a" }));
      await page.getByRole("textbox", { name: "Name" }).fill("Final");
      await page.getByRole("combobox", { name: "Partition" }).selectOption({ label: "House" });
      await field(page).fill('{ "source": "b", "year": 2026, "tags": ["x", null] }');
      await save(page);
      await page.getByRole("heading", { name: "Final" }).waitFor();
      await holdMessage(page);
      const metadata = { source: "b", year: 2026, tags: ["x", null] };
      expect(await stored(id)).toEqual({ name: "Final", partitionId, metadata });
      // By keyboard: the pointer stays where it is.
      await page.getByRole("tab", { name: "Details" }).press("Enter");
      await mentions(page.locator(".details-pane"), "year2026");
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("heading", { name: "Draft" }).waitFor();
      expect(await stored(id)).toEqual({ name: "Draft", partitionId: null, metadata: { source: "a" } });
    });

    test("what is no metadata is told at the field and not sent; so is what the server refuses", async () => {
      const id = await add("Kept");
      const { page } = await openConsole(browser, server, { path: `/documents/${id}` });
      let sent = 0;
      page.on("request", (request) => {
        if (request.method() === "PUT") sent += 1;
      });
      await openEditing(page);
      const fault = page.getByRole("dialog").getByRole("alert").filter({ hasText: /./ });
      for (const [text, words] of [
        ["{ source: 1 }", "This is no JSON"],
        ["[1, 2]", "Metadata is an object"],
        ['{ "n": 1e400 }', "A number in it is too large"],
        [JSON.stringify({ text: "ä".repeat(32 * 1024) }), "at most 64 KiB"],
      ] as const) {
        await field(page).fill(text);
        await save(page);
        await fault.getByText(words).waitFor();
        await eventually(async () => expect(await field(page).getAttribute("aria-invalid")).toBe("true"));
        await eventually(async () => expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA"));
      }
      expect(sent).toBe(0);
      expect(await barriersOf(page)).toEqual([]);
      // Only the server knows how deep it may be.
      await field(page).fill(`${'{"a":'.repeat(200)}1${"}".repeat(200)}`);
      await save(page);
      await fault.getByText("nested deeper").waitFor();
      expect(sent).toBe(1);
      await field(page).fill("");
      await save(page);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect((await stored(id)).metadata).toBeNull();
    });

    test("by keyboard; what is not changed is not sent, and readers change nothing", async () => {
      const id = await add("Keyboard");
      const { page } = await openConsole(browser, server, { path: `/documents/${id}` });
      await page.getByRole("tab", { name: "Text" }).focus();
      for (const key of ["End", "Tab", "Tab"]) await page.keyboard.press(key);
      await page.getByRole("tab", { name: "Details", selected: true }).waitFor();
      await page.locator(".details-pane").getByRole("button", { name: "Edit details" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("By keyboard");
      const bodies: (string | null)[] = [];
      page.on("request", (request) => {
        if (request.method() === "PUT") bodies.push(request.postData());
      });
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "By keyboard" }).waitFor();
      expect(bodies).toEqual(['{"name":"By keyboard"}']);
      const key = await server.issueKey({ role: "reader" });
      const { page: shown } = await openConsole(browser, server, { path: `/documents/${id}`, key });
      await shown.getByRole("tab", { name: "Details" }).click();
      await shown.locator(".details-pane").waitFor();
      expect(await shown.getByRole("button", { name: "Edit details" }).count()).toBe(0);
    });

    test.each([
      ["light", 1280],
      ["dark", 320],
    ] as const)("axe finds nothing serious, nothing is too wide: %s, %d px", async (colorScheme, width) => {
      const options = { colorScheme, viewport: { width, height: 720 }, reducedMotion: "reduce" } as const;
      const path = `/documents/${await add("A long name ".repeat(20))}`;
      const { page } = await openConsole(browser, server, { path, ...options });
      await page.getByRole("tab", { name: "Details" }).click();
      await page.locator(".details-pane").waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await openEditing(page);
      expect(await barriersOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    });
  };
});
