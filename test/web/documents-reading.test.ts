import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import type { FileParser, PageReached } from "../../providers/contract.ts";
import { startTestServer, type TestServer } from "../start-server.ts";
import { recordShifts, shiftsOf } from "./answers/layout-shift.ts";
import { barriersOf } from "./barriers.ts";
import { chromiumPath, whyNoBrowser } from "./chromium.ts";
import { openBrowser } from "./open-browser.ts";
import { dropFiles, fixturePath, visitConsole } from "./visit-console.ts";

setDefaultTimeout(180_000);

const paper = "layout-parser-paper-fast.pdf";

let server: TestServer;
let browser: Browser;
let reach: (reached: PageReached) => void = () => {};
const finished = Promise.withResolvers<void>();

/** Reads pages when the test says so. */
const parser: FileParser = {
  async parse(_file, _signal, onPage) {
    reach = onPage ?? reach;
    await finished.promise;
    return { title: null, text: "What was read.", pages: [], mimeType: "application/pdf", warnings: [] };
  },
};

describe.skipIf(chromiumPath === null)(
  `reading in the console${chromiumPath === null ? `: skipped, ${whyNoBrowser}` : ""}`,
  () => {
    beforeAll(async () => {
      server = await startTestServer({}, { parts: { parser } });
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await server?.stop();
    });

    test("list, strip and document tell which page is read, and nothing moves", async () => {
      const { page, faults, context } = await visitConsole(browser, server, "/documents", {
        viewport: { width: 1440, height: 900 },
      });
      await recordShifts(context);
      await page.reload();
      await page.getByRole("button", { name: "Add documents" }).first().waitFor();
      await dropFiles(page, [fixturePath(paper)]);
      const state = page.locator("tbody .state-word");
      const strip = page.locator(".upload-strip .now");
      await state.getByText("reading", { exact: true }).waitFor();
      reach({ page: 1, pages: 120 });
      await state.getByText("reading 0 %").waitFor();
      await strip.getByText("page 1 of 120").waitFor();
      await shiftsOf(page);
      for (const at of [9, 41, 100]) {
        reach({ page: at, pages: 120 });
        await strip.getByText(`page ${at} of 120`).waitFor();
      }
      await state.getByText("reading 83 %").waitFor();
      expect(await strip.textContent()).toBe(`${paper}, page 100 of 120`);
      expect(await shiftsOf(page)).toEqual([]);
      expect(await barriersOf(page)).toEqual([]);

      await page.getByRole("link", { name: paper }).first().click();
      await page.locator(".document-state").getByText("reading 83 %").waitFor();
      await page.goto(`${server.url}/settings`);
      await page.locator(".jobs").getByText("page 100 of 120").waitFor();
      await page.goto(`${server.url}/documents`);
      finished.resolve();
      await page.locator("tbody .state-word.good").waitFor();
      expect(faults.errors).toEqual([]);
      await context.close();
    });
  },
);
