import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { openVisitor } from "../open-browser.ts";
import type { OpenedServer } from "../open-console.ts";
import { recordShifts } from "./layout-shift.ts";

/** Signs a browser in with a key, as the console's sign-in does: by the cookie of the session. */
export const signIn = async (context: BrowserContext, url: string, key: string): Promise<void> => {
  const answer = await context.request.post(`${url}/api/session`, { data: { key } });
  if (answer.status() !== 200) throw new Error(await answer.text());
};

/** Opens a page of which it is recorded what moves by itself. @param key signed in by the session; null: nobody is */
export const openWatched = async (
  browser: Browser,
  server: OpenedServer,
  path: string,
  { key = server.key, ...options }: { key?: string | null } & BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext }> => {
  const context = await openVisitor(browser, [server.url], { viewport: { width: 1440, height: 900 }, ...options });
  await recordShifts(context);
  if (key !== null) await signIn(context, server.url, key);
  const page = await context.newPage();
  await page.goto(server.url + path);
  return { page, context };
};
