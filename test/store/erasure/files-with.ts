import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** Files under a folder, by their paths in it. */
export const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** Files under a folder whose bytes or whose name hold one of the texts. A file that goes meanwhile holds none. */
export const filesWith = async (
  folder: string,
  texts: readonly string[],
  leaveOut: (path: string) => boolean = () => false,
): Promise<string[]> => {
  const found: string[] = [];
  for (const path of await filesIn(folder)) {
    if (leaveOut(path)) continue;
    const bytes = await readFile(join(folder, path)).catch(() => Buffer.alloc(0));
    if (texts.some((text) => bytes.includes(text) || path.includes(text))) found.push(path);
  }
  return found;
};

/** Waits until no file holds one of the texts. @returns those that still do after the time */
export const untilNoFileHas = async (
  folder: string,
  texts: readonly string[],
  ms: number,
  leaveOut?: (path: string) => boolean,
): Promise<string[]> => {
  const deadline = performance.now() + ms;
  for (;;) {
    const left = await filesWith(folder, texts, leaveOut);
    if (left.length === 0 || performance.now() > deadline) return left;
    await Bun.sleep(100);
  }
};
