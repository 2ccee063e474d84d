import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Page } from "playwright-core";

export const fixturePath = (name: string): string => new URL(`../fixtures/documents/${name}`, import.meta.url).pathname;

/** Chooses files in the dialog of the browser. @param open brings the dialog up, as a person does */
export const chooseFiles = async (
  page: Page,
  paths: string | readonly string[],
  open: () => Promise<void>,
): Promise<void> => {
  const choosing = page.waitForEvent("filechooser");
  // That starts to catch dialogs, and does not wait for it. A key or a click comes to the page another way, which may be
  // faster: then the dialog is not caught. What is evaluated goes the same way and comes after it.
  await page.evaluate("0");
  await open();
  await (await choosing).setFiles(paths);
};

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
