import { afterAll, beforeAll, describe, setDefaultTimeout } from "bun:test";
import type { Browser } from "playwright-core";
import { chromiumPath, whyNoBrowser } from "../../tools/screenshots/chromium.ts";
import { closeVisitors, openBrowser } from "./open-browser.ts";

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
 * @param start runs before the tests
 */
export const describeInBrowser = (name: string, start: (opened: Opened) => Promise<void>, tests: () => void): void => {
  setDefaultTimeout(maxTestMs);
  describe.skipIf(chromiumPath === null)(`${name}${chromiumPath === null ? `: skipped, ${whyNoBrowser}` : ""}`, () => {
    const parts: Stoppable[] = [];
    beforeAll(async () => {
      const browser = await openBrowser();
      parts.push({ stop: () => closeVisitors(browser) });
      await start({
        browser,
        own(part) {
          parts.push(part);
          return part;
        },
      });
    });
    afterAll(async () => {
      // The visitors first: what they wait for of the servers is then over.
      const [visitors, ...others] = parts;
      await visitors?.stop();
      for (const part of others.toReversed()) await part.stop();
    });
    tests();
  });
};
