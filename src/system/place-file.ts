import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A file of this age was left by a process that was killed while it wrote: no write takes that long. */
const abandonedMs = 10 * 60_000;
const partialSuffix = ".partial";

/**
 * Makes a file appear whole or not at all, however many processes make it at once: each writes one of its own name
 * beside it, which then takes the place.
 * @param write makes the file at the path it is given, which does not exist
 * @param isPlaced whether the file at `path` is what it should be: where it cannot be replaced (Windows does not while
 * a program has it loaded), another process's is as good
 */
export const placeFile = async (
  path: string,
  write: (partial: string) => Promise<void>,
  isPlaced: () => Promise<boolean> | boolean,
): Promise<void> => {
  const partial = `${path}.${randomUUID()}${partialSuffix}`;
  try {
    await write(partial);
    await rename(partial, path).catch(async (error: unknown) => {
      if (!(await isPlaced())) throw error;
    });
  } finally {
    await rm(partial, { force: true }).catch(() => undefined);
  }
  await removeAbandoned(dirname(path));
};

/** Whether a name in a folder is that of a file being written by `placeFile`. */
export const isPartial = (name: string): boolean => /\.[0-9a-f-]{36}\.partial$/.test(name);

const removeAbandoned = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(partialSuffix)) continue;
    const path = join(folder, name);
    const written = await stat(path).catch(() => null);
    if (written !== null && Date.now() - written.mtimeMs > abandonedMs) await rm(path, { force: true }).catch(() => {});
  }
};
