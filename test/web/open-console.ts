import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expectClean, openVisitor } from "./open-browser.ts";

/** A server to open the console of: in this process or the binary. */
export interface OpenedServer {
  url: string;
  key: string;
}

export interface OpenConsole {
  page: Page;
  /** Messages of Content-Security-Policy and errors of scripts; asked for hosts of others. */
  expectClean(): void;
  close(): Promise<void>;
}

/** The console in a browser profile of its own. @param key signed in with by link; null: nobody is */
export const openConsole = async (
  browser: Browser,
  server: OpenedServer,
  { key = server.key, path = "/", ...options }: { key?: string | null; path?: string } & BrowserContextOptions = {},
): Promise<OpenConsole> => {
  const { context, faults } = await openVisitor(browser, { viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await page.goto(`${server.url}${path}${key === null ? "" : `#key=${key}`}`);
  await page.locator(key === null ? "input[name=key]" : ".rail").waitFor();
  return {
    page,
    expectClean: () => expectClean(faults, server.url),
    close: () => context.close(),
  };
};
