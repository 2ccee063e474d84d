import type { BrowserContext, Page } from "playwright-core";

interface Shift {
  value: number;
  sources: string[];
}

/** Records what moves by itself on the pages of a browser: call it before they are opened. */
export const recordShifts = async (context: BrowserContext): Promise<void> => {
  // A text, because the tests' compiler knows no browser.
  await context.addInitScript(`
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput)
          shifts.push({ value, sources: sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? String(node)) });
    }).observe({ type: "layout-shift", buffered: true });
  `);
};

/** What has moved since the page was opened, or since it was last asked, without the reader's doing. */
export const shiftsOf = async (page: Page): Promise<Shift[]> => (await page.evaluate("shifts.splice(0)")) as Shift[];
