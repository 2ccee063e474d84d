import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { type Faults, openVisitor } from "./open-browser.ts";
import type { OpenedServer } from "./open-console.ts";

/** Tests share a machine with others that are at work. */
const maxWaitMs = 120_000;

export interface ConsoleVisit {
  page: Page;
  context: BrowserContext;
  faults: Faults;
}

/** Opens a view of the console, signed in by the link that a first start prints. */
export const visitConsole = async (
  browser: Browser,
  server: OpenedServer,
  path: string,
  options: BrowserContextOptions = {},
): Promise<ConsoleVisit> => {
  const visit = await openVisitor(browser, options);
  const page = await visit.context.newPage();
  page.setDefaultTimeout(maxWaitMs);
  await page.goto(`${server.url}${path}#key=${server.key}`);
  await page.waitForSelector(".view-header");
  return { ...visit, page };
};

export const fixturePath = (name: string): string => new URL(`../fixtures/documents/${name}`, import.meta.url).pathname;

/** Drops files on the window, as a person does. */
export const dropFiles = async (page: Page, paths: readonly string[]): Promise<void> => {
  const files = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), base64: (await readFile(path)).toString("base64") })),
  );
  // As text: the tests know no types of a page.
  await page.evaluate(`{
    const transfer = new DataTransfer();
    for (const { name, base64 } of ${JSON.stringify(files)})
      transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    const place = document.querySelector("main") ?? document.body;
    for (const type of ["dragenter", "dragover", "drop"])
      place.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }`);
};

/** Waits until something holds; playwright's own `waitForFunction` is forbidden by the policy of the page. */
export const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await Bun.sleep(50);
};
