import type { Browser, BrowserContext, Page } from "playwright-core";

const observer = `
  globalThis.used = { shift: 0, tasks: [], frames: [] };
  const each = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  each("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) used.shift += value; });
  each("longtask", ({ duration }) => used.tasks.push(duration));
`;

const settleMs = 300;
const answerMs = 120_000;

/** How much of a page moved by itself while an answer was written: Cumulative Layout Shift. */
export const shiftWhileAnswering = async (
  context: BrowserContext,
  address: string,
  { field, done }: { field: string; done: string },
): Promise<number> => {
  await context.addInitScript(observer);
  const page = await context.newPage();
  await page.goto(address);
  await page.locator(field).fill("When does the reading room open in winter?");
  await page.keyboard.press("Enter");
  await page.locator(done).last().waitFor({ timeout: answerMs });
  await Bun.sleep(settleMs);
  const shift = (await page.evaluate("used.shift")) as number;
  await page.close();
  return shift;
};

export interface ListUse {
  /** From the address to the first hundred rows. */
  shownMs: number;
  /** From the key to the next hundred rows, each time. */
  nextMs: number[];
  /** Tasks of more than 50 ms, while it was scrolled and paged. */
  longTasksMs: number[];
}

const wheelPx = 800;
const wheels = 20;
const pages = 5;

/** Opens the list of documents, scrolls it to its end and goes on to the next pages. */
export const useList = async (context: BrowserContext, url: string): Promise<ListUse> => {
  await context.addInitScript(observer);
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(`${url}/documents`);
  await page.locator("tbody tr").nth(99).waitFor();
  const shownMs = performance.now() - began;
  await Bun.sleep(settleMs);
  await page.evaluate("void (used.tasks.length = 0)");
  const nextMs: number[] = [];
  for (let at = 1; at <= pages; at++) {
    await scroll(page);
    const from = performance.now();
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await page.getByText(new RegExp(`^${at}01–${at + 1}00 of`)).waitFor();
    nextMs.push(performance.now() - from);
  }
  await Bun.sleep(settleMs);
  const longTasksMs = (await page.evaluate("used.tasks")) as number[];
  await page.close();
  return { shownMs, nextMs, longTasksMs };
};

const scroll = async (page: Page): Promise<void> => {
  await page.locator("tbody tr").first().hover();
  for (let at = 0; at < wheels; at++) await page.mouse.wheel(0, wheelPx);
};

/** A browser profile that is signed in. */
export const signedIn = async (browser: Browser, url: string, key: string): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const answer = await context.request.post(`${url}/api/session`, { data: { key } });
  if (!answer.ok()) throw new Error(await answer.text());
  return context;
};
