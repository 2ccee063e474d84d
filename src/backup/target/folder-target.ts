import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { inParallel } from "../../async/in-parallel.ts";
import { codeOf } from "../../domain/errors.ts";
import { syncDisk } from "../../store/disk/disk-sync.ts";
import { diskFault } from "../../system/faults.ts";
import { loadLibc } from "../../system/libc.ts";
import { BackupFailure, type BackupTarget, maxObjectBytes, type TargetObject } from "./target.ts";

/** End of the name of a file that is being written. */
const draftMark = ".part";
const maxStatsAtOnce = 16;

/** The error of a system call, in words. */
const failureOf = (folder: string, error: unknown): Error => {
  const why = diskFault(error);
  if (why === null) return error instanceof Error ? error : new Error(String(error));
  // A code that nobody has words for stands in brackets, as in the other messages.
  const reason = /^E[A-Z0-9]+$/.test(why) ? ` (${why})` : `: ${why}`;
  return new BackupFailure(`The folder ${folder} cannot be used${reason}.`);
};

/** Nothing of what is no file, a pipe that nobody writes to for one, or is longer than any object. */
const readObjectFile = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= maxObjectBytes ? await file.readFile() : new Uint8Array();
  } finally {
    await file.close();
  }
};

/**
 * A folder as a target, made with its first object.
 * @param folder an absolute path
 */
export const openFolderTarget = async (folder: string): Promise<BackupTarget> => {
  const libc = loadLibc();
  /** Whether one call at the end puts everything on the disk; else each file is put there as it is written. */
  const flushesAtOnce = libc !== null && libc.syncfsLibrary !== null;
  const failing =
    <A extends readonly unknown[], R>(work: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> =>
      work(...given).catch((error: unknown) => {
        throw failureOf(folder, error);
      });

  const describe = async (path: string): Promise<TargetObject | null> => {
    const found = await stat(path).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return null; // removed meanwhile
      throw error;
    });
    if (found === null) return null;
    return { name: relative(folder, path).split(sep).join("/"), bytes: found.size, modifiedAt: found.mtimeMs };
  };

  /** One folder after the other: there may be a million files. */
  async function* list(below: string, signal: AbortSignal): AsyncGenerator<TargetObject> {
    signal.throwIfAborted();
    const path = join(folder, below);
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return [];
      throw failureOf(folder, error);
    });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(path, name));
    const described = await failing(() => inParallel(files, maxStatsAtOnce, describe))();
    for (const file of described) if (file !== null) yield file;
    for (const entry of entries) if (entry.isDirectory()) yield* list(`${below}/${entry.name}`, signal);
  }

  return {
    name: folder,
    list,
    read: failing(async (name, signal) => {
      signal.throwIfAborted();
      return readObjectFile(join(folder, name)).catch((error: unknown) => {
        if (codeOf(error) === "ENOENT") return null;
        throw error;
      });
    }),
    write: failing(async (name, bytes, signal) => {
      signal.throwIfAborted();
      const path = join(folder, name);
      const draft = `${path}.${Bun.randomUUIDv7()}${draftMark}`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        const file = await open(draft, "wx", 0o600);
        try {
          await file.writeFile(bytes);
          if (!flushesAtOnce) await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    }),
    remove: failing(async (name, signal) => {
      signal.throwIfAborted();
      await rm(join(folder, name), { force: true });
    }),
    flush: failing(async () => {
      // The folder may have been made by the first write: the call needs it open.
      await syncDisk(folder, libc);
    }),
    close: async () => undefined,
  };
};
