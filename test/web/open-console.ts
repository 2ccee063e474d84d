import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { openVisitor } from "./open-browser.ts";

/** A server to open the console of: in this process or the binary. */
export interface OpenedServer {
  url: string;
  key: string;
}

interface OpenConsole {
  page: Page;
  context: BrowserContext;
}

/** The console in a browser profile of its own. @param key signed in with by link; null: nobody is */
export const openConsole = async (
  browser: Browser,
  server: OpenedServer,
  { key = server.key, path = "/", ...options }: { key?: string | null; path?: string } & BrowserContextOptions = {},
): Promise<OpenConsole> => {
  const context = await openVisitor(browser, [server.url], { viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await page.goto(`${server.url}${path}${key === null ? "" : `#key=${key}`}`);
  await page.locator(key === null ? "input[name=key]" : ".rail").waitFor();
  return { page, context };
};

/** Presses keys one after the other. */
export const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

/**
 * Goes to a view by its keys, such as `g` and `d`. Both are sent before either is answered: between two that are awaited
 * a slow machine may let more time pass than they may have.
 */
export const goByKeys = async (page: Page, key: string): Promise<void> => {
  await Promise.all([page.keyboard.press("g"), page.keyboard.press(key)]);
};

/** Keeps the newest message for as long as the pointer is on it: ten seconds to undo are few for a slow machine. */
export const holdMessage = (page: Page): Promise<void> => page.locator(".toast").last().hover();
