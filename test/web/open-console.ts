import { expect } from "bun:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { TestServer } from "../start-server.ts";
import { openVisitor } from "./open-browser.ts";

/** Chromium tells of a failed answer as of an error of the page. */
const answerFailed = /^Failed to load resource/;

export interface OpenConsole {
  page: Page;
  /** Messages of Content-Security-Policy and errors of scripts; asked for hosts of others. */
  expectClean(): void;
  close(): Promise<void>;
}

/** The console in a browser profile of its own. @param key signed in with by link; null: nobody is */
export const openConsole = async (
  browser: Browser,
  server: TestServer,
  { key = server.key, path = "/", ...options }: { key?: string | null; path?: string } & BrowserContextOptions = {},
): Promise<OpenConsole> => {
  const { context, faults } = await openVisitor(browser, { viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await page.goto(`${server.url}${path}${key === null ? "" : `#key=${key}`}`);
  await page.locator(key === null ? "input[name=key]" : ".rail").waitFor();
  return {
    page,
    expectClean() {
      expect(faults.errors.filter((text) => !answerFailed.test(text))).toEqual([]);
      expect([...faults.hosts]).toEqual([new URL(server.url).host]);
    },
    close: () => context.close(),
  };
};
