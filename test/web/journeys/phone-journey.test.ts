import { expect, test } from "bun:test";
import { devices } from "playwright-core";
import { overflowOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { chooseFiles, fixturePath } from "../give-files.ts";
import { openVisitor } from "../open-browser.ts";
import { openConsole } from "../open-console.ts";
import { mentions } from "../shows.ts";
import { startBinary } from "./start-binary.ts";

const phone = devices["Pixel 7"];

await describeInBrowser("on a phone", async (browser) => {
  const server = await startBinary();
  return () => {
    test("by touch: a file is added, asked about, and its page is read; nothing is scrolled sideways", async () => {
      const { page } = await openConsole(browser, server, phone);
      const fits = async () => expect([page.url(), await overflowOf(page)]).toEqual([page.url(), 0]);
      await fits();
      await page.getByRole("button", { name: "Add documents" }).first().tap();
      await chooseFiles(page, fixturePath("layout-parser-paper-fast.pdf"), () =>
        page.getByRole("menuitem", { name: "Files" }).tap(),
      );
      await page.getByText("1 document is ready.").first().waitFor();
      await fits();
      await page.getByRole("link", { name: "Ask", exact: true }).tap();
      await page.locator(".question-field").tap();
      await page.keyboard.type("What is LayoutParser?");
      await page.getByRole("button", { name: "Ask", exact: true }).tap();
      await page.locator(".receipt").waitFor();
      await fits();
      await page.locator(".answer .mark").first().tap();
      await page.waitForURL(/\/documents\/.+\?page=/);
      await page.locator(".prose mark.passage").first().waitFor();
      await fits();
      await page.getByRole("tab", { name: "Original" }).tap();
      await page.locator("canvas[data-drawn]").first().waitFor();
      await page.locator(".text-layer mark.passage").first().waitFor();
      await fits();
    });

    test("a visitor of a public chat asks, opens a source where it stands, and comes back to it", async () => {
      await server.post("/api/ingest", { name: "Hours", text: "In winter the library opens at nine." });
      const chat = await server.ask("POST", "/api/chat", { json: { title: "Library", public: true } });
      const context = await openVisitor(browser, [server.url], phone);
      const page = await context.newPage();
      await page.goto(`${server.url}/chat/${chat.body.id}`);
      await page.locator("#message").tap();
      await page.keyboard.type("When does the library open in winter?");
      await page.getByRole("button", { name: "Send" }).tap();
      await page.locator(".answer .actions").waitFor();
      await page.locator(".answer .mark").first().tap();
      await mentions(page.locator(".sources .shown"), "opens at nine");
      expect(await overflowOf(page)).toBe(0);
      await page.reload();
      await page.locator(".question").waitFor();
      expect(await overflowOf(page)).toBe(0);
    });
  };
});
