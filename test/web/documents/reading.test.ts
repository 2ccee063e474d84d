import { expect, test } from "bun:test";
import type { FileParser, PageReached } from "../../../providers/contract.ts";
import { recordShifts, shiftsOf } from "../answers/layout-shift.ts";
import { barriersOf } from "../barriers.ts";
import { describeInBrowser } from "../describe-in-browser.ts";
import { dropFiles, fixturePath } from "../give-files.ts";
import { openConsole } from "../open-console.ts";
import { shows } from "../shows.ts";
import { startPageServer } from "../start-page-server.ts";

const paper = "layout-parser-paper-fast.pdf";

let reach: (reached: PageReached) => void = () => {};
const begun = Promise.withResolvers<void>();
const finished = Promise.withResolvers<void>();

/** Reads pages when the test says so. */
const parser: FileParser = {
  async parse(_file, _signal, onPage) {
    reach = onPage ?? reach;
    begun.resolve();
    await finished.promise;
    return { title: null, text: "What was read.", pages: [], mimeType: "application/pdf", warnings: [] };
  },
};

await describeInBrowser("reading in the console", async (browser) => {
  const server = await startPageServer({}, { parts: { parser } });
  return () => {
    test("list, strip and document tell which page is read, and nothing moves", async () => {
      const { page, context } = await openConsole(browser, server, {
        path: "/documents",
        viewport: { width: 1440, height: 900 },
      });
      await recordShifts(context);
      await page.reload();
      await page.getByRole("button", { name: "Add documents" }).first().waitFor();
      await dropFiles(page, [fixturePath(paper)]);
      const state = page.locator("tbody .state-word");
      const strip = page.locator(".upload-strip .now");
      await state.getByText("reading", { exact: true }).waitFor();
      await begun.promise;
      reach({ page: 1, pages: 120 });
      await state.getByText("reading 0 %").waitFor();
      await strip.getByText("page 1 of 120").waitFor();
      await shiftsOf(page);
      for (const at of [9, 41, 100]) {
        reach({ page: at, pages: 120 });
        await strip.getByText(`page ${at} of 120`).waitFor();
      }
      await state.getByText("reading 83 %").waitFor();
      await shows(strip, `${paper}, page 100 of 120`);
      expect(await shiftsOf(page)).toEqual([]);
      expect(await barriersOf(page)).toEqual([]);

      await page.getByRole("link", { name: paper }).first().click();
      await page.locator(".document-state").getByText("reading 83 %").waitFor();
      await page.goto(`${server.url}/settings`);
      await page.locator(".jobs").getByText("page 100 of 120").waitFor();
      await page.goto(`${server.url}/documents`);
      finished.resolve();
      await page.locator("tbody .state-word.good").waitFor();
    });
  };
});
