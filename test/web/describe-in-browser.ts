import { afterAll, afterEach, describe, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { chromiumPath, whyNoBrowser } from "../../tools/screenshots/chromium.ts";
import { endVisits, openBrowser } from "./open-browser.ts";

/** A test goes through many pages, and the first one may have to compile the program. */
const maxTestMs = 600_000;

/**
 * Tests of pages in a real browser; skipped, with the reason, where there is none.
 * @param start makes what the tests need. @returns the tests
 */
export const describeInBrowser = async (
  name: string,
  start: (browser: Browser) => Promise<() => void>,
): Promise<void> => {
  if (chromiumPath === null) return test.skip(`${name}: skipped, ${whyNoBrowser}`, () => {});
  setDefaultTimeout(maxTestMs);
  const browser = await openBrowser();
  const tests = await start(browser);
  describe(name, () => {
    afterEach(endVisits);
    // Before the servers stop, which `atEnd` does: what is waited for of them is then over.
    afterAll(() => Promise.all(browser.contexts().map((context) => context.close())));
    tests();
  });
};
