import { stat } from "node:fs/promises";
import { pause } from "../../async/waiting.ts";
import { entriesUnder } from "../../system/paths.ts";

const minAgeMs = 60_000;
/** A figure is kept for this many times as long as it took: the walk takes at most this part of the time. */
const agePerWalk = 200;
/** Files that are counted one by one; a folder with more is counted up to here. */
const maxFiles = 2_000_000;
/** Nobody waits longer for a walk than this: until its end the last figures are given. */
const maxWaitMs = 1_000;

/**
 * Sizes of the parts of a folder.
 * @param parts its folders that are counted separately
 * @returns bytes by part, and `other`, as they were measured last; empty while the first walk takes long
 */
export const createFolderSizes = (
  folder: string,
  parts: readonly string[],
): (() => Promise<Record<string, number>>) => {
  let measuring: Promise<void> | null = null;
  let measured: Record<string, number> = {};
  let keptUntil = Number.NEGATIVE_INFINITY;

  const measure = async (): Promise<void> => {
    const began = performance.now();
    const sizes: Record<string, number> = Object.fromEntries([...parts, "other"].map((part) => [part, 0]));
    let files = 0;
    for await (const { entry, path, top } of entriesUnder(folder)) {
      if (files >= maxFiles) break;
      if (!entry.isFile()) continue;
      files += 1;
      const part = top !== null && parts.includes(top) ? top : "other";
      sizes[part] = (sizes[part] ?? 0) + ((await stat(path).catch(() => null))?.size ?? 0);
    }
    const now = performance.now();
    keptUntil = now + Math.max(minAgeMs, agePerWalk * (now - began));
    measured = sizes;
  };

  return async () => {
    if (measuring === null && performance.now() > keptUntil)
      measuring = measure().finally(() => {
        measuring = null;
      });
    if (measuring !== null) {
      const waited = new AbortController();
      await Promise.race([measuring, pause(maxWaitMs, waited.signal)]).finally(() => waited.abort());
    }
    return measured;
  };
};
