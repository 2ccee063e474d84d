import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type Carrel, serveCarrel } from "../contract/serve-carrel.ts";
import { chromiumPath, whyNoBrowser } from "./chromium.ts";
import { openBrowser } from "./open-browser.ts";

/** `/docs` in a real browser, under the page's own policy. */
describe.skipIf(chromiumPath === null)(
  `the API page${chromiumPath === null ? `: skipped, ${whyNoBrowser}` : ""}`,
  () => {
    let carrel: Carrel;
    let browser: Browser;
    let page: Page;
    const requests: string[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      carrel = await serveCarrel();
      await carrel.call("POST", "/api/ingest", { json: { name: "Shown in the page", text: "words" } });
      browser = await openBrowser();
      page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.setDefaultTimeout(20_000);
      page.on("request", (request) => requests.push(request.url()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      await page.goto(`${carrel.url}/docs`);
      await page.getByRole("heading", { name: "Carrel" }).waitFor();
    });

    afterAll(async () => {
      await browser?.close();
      await carrel?.stop();
    });

    test("shows every group of operations, and each operation once", async () => {
      const menu = (await page.locator("aside").first().textContent()) ?? "";
      for (const group of ["Documents", "Questions", "Chats", "Partitions", "Keys"]) expect(menu).toContain(group);
      expect(menu.match(/Ingest a document/g)).toHaveLength(1);
      expect(menu.match(/Change a document/g)).toHaveLength(1);
    });

    test("an operation can be tried: with a key typed in, it is sent and its answer shown", async () => {
      await page.getByPlaceholder("Token").first().fill(carrel.admin);
      await page.getByRole("link", { name: "List documents" }).first().click();
      await page
        .locator("section", { hasText: "List documents" })
        .getByRole("button", { name: "Test Request" })
        .first()
        .click();
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/document");
      await page.getByRole("button", { name: /^Send/ }).first().click();
      expect((await answered).status()).toBe(200);
      expect(await (await answered).text()).toContain("Shown in the page");
    });

    test("nothing was loaded from elsewhere, and the browser complained of nothing", () => {
      const hosts = new Set(requests.filter((url) => !/^(data|blob):/.test(url)).map((url) => new URL(url).origin));
      expect([...hosts]).toEqual([carrel.url]);
      expect(complaints).toEqual([]);
    });
  },
);
