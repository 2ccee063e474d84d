import { afterAll, afterEach, describe, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { chromiumPath, whyNoBrowser } from "../../tools/screenshots/chromium.ts";
import { endVisits, openBrowser } from "./open-browser.ts";

/** A test goes through many pages, and the first one may have to compile the program. */
const maxTestMs = 600_000;

interface Stoppable {
  stop(): Promise<unknown>;
}

export interface Opened {
  browser: Browser;
  /** What is stopped after the tests, the last one first. */
  own<Part extends Stoppable>(part: Part): Part;
}

/**
 * Tests of pages in a real browser; skipped, with the reason, where there is none.
 * @param start makes what the tests need. @returns the tests
 */
export const describeInBrowser = async (
  name: string,
  start: (opened: Opened) => Promise<() => void>,
): Promise<void> => {
  if (chromiumPath === null) return test.skip(`${name}: skipped, ${whyNoBrowser}`, () => {});
  setDefaultTimeout(maxTestMs);
  const browser = await openBrowser();
  const parts: Stoppable[] = [];
  const tests = await start({
    browser,
    own(part) {
      parts.push(part);
      return part;
    },
  });
  describe(name, () => {
    afterEach(endVisits);
    afterAll(async () => {
      // What is open first: what it waits for of the servers is then over.
      await Promise.all(browser.contexts().map((context) => context.close()));
      for (const part of parts.toReversed()) await part.stop();
    });
    tests();
  });
};
