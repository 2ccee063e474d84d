import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";

const minAgeMs = 60_000;
/** A figure is kept for so many times as long as it took: the walk takes at most this part of the time. */
const agePerWalk = 200;
/** Files that are counted one by one; a folder with more is counted up to here. */
const maxFiles = 2_000_000;

/**
 * Sizes of the parts of a folder.
 * @param parts its folders that are counted each by itself
 * @returns bytes by part, and `other`; one that measured a moment ago answers with that
 */
export const createFolderSizes = (
  folder: string,
  parts: readonly string[],
): (() => Promise<Record<string, number>>) => {
  let measuring: Promise<Record<string, number>> | null = null;
  let keptUntil = 0;

  const measure = async (): Promise<Record<string, number>> => {
    const began = performance.now();
    const sizes: Record<string, number> = Object.fromEntries([...parts, "other"].map((part) => [part, 0]));
    let files = 0;
    const walk = async (path: string, part: string): Promise<void> => {
      // A folder or file may go while it is looked at.
      const entries = await opendir(path).catch(() => null);
      if (entries === null) return;
      for await (const entry of entries) {
        if (files >= maxFiles) return;
        const inner = join(path, entry.name);
        if (entry.isDirectory()) {
          await walk(inner, path === folder && parts.includes(entry.name) ? entry.name : part);
        } else if (entry.isFile()) {
          files += 1;
          sizes[part] = (sizes[part] ?? 0) + ((await stat(inner).catch(() => null))?.size ?? 0);
        }
      }
    };
    await walk(folder, "other");
    const now = performance.now();
    keptUntil = now + Math.max(minAgeMs, agePerWalk * (now - began));
    return sizes;
  };

  return () => {
    if (measuring === null || (keptUntil > 0 && performance.now() > keptUntil)) {
      keptUntil = 0;
      measuring = measure();
    }
    return measuring;
  };
};
