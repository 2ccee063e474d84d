import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { inParallel } from "../../async/in-parallel.ts";
import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import { ApiError } from "../../domain/errors.ts";
import type { BlobStore } from "../contract/blobs.ts";
import type { FreeSpaceGuard, SpaceReservation } from "../recovery/free-space.ts";

/** The files, with the methods that only the store uses. */
export interface BlobFolder extends BlobStore {
  /** A document that names the file is stored: the hold of its `put` ends. */
  adopt(hash: string): void;
  /** Removes the file unless a document names it or a `put` holds it. */
  removeIfUnused(hash: string): Promise<void>;
  /** From now on files stay, whatever is deleted. @returns ends that, and removes what nothing names any more */
  keepAll(): () => Promise<void>;
  /** Removes what a crash left: unfinished files, and files that no document names. @returns how many */
  sweep(): Promise<number>;
}

export interface BlobFolderOptions {
  folder: string;
  isReferred(hash: string): Promise<boolean>;
  referredHashes(): Promise<Set<string>>;
  reserve: FreeSpaceGuard["reserve"];
  explain(error: unknown): unknown;
  /** Whether to wait until written files are on disk. */
  flush: boolean;
}

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

/** Files named by the SHA-256 of their content, in folders named by its first two digits. */
export const createBlobFolder = async (options: BlobFolderOptions): Promise<BlobFolder> => {
  const { folder, isReferred } = options;
  const drafts = join(folder, "drafts");
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);
  const serialize = createKeyedMutex();
  /** How many puts of a file no document names yet. */
  const holds = new Map<string, number>();

  const endHold = (hash: string): void => {
    const left = (holds.get(hash) ?? 0) - 1;
    if (left > 0) holds.set(hash, left);
    else holds.delete(hash);
  };

  /** How many callers keep all files, and what would have been removed meanwhile. */
  let keepers = 0;
  const kept = new Set<string>();

  const removeIfUnused = (hash: string): Promise<void> =>
    serialize(hash, async () => {
      if (!isHash(hash) || holds.has(hash) || (await isReferred(hash))) return;
      if (keepers > 0) kept.add(hash);
      else await rm(pathOf(hash), { force: true });
    });

  /** Writes a draft, and hashes it meanwhile. */
  const writeDraft = async (
    path: string,
    source: ReadableStream<Uint8Array> | Uint8Array,
    maxBytes: number,
    space: SpaceReservation,
  ): Promise<{ hash: string; bytes: number }> => {
    const hash = createHash("sha256");
    let bytes = 0;
    const file = await open(path, "wx", 0o600);
    try {
      for await (const chunk of source instanceof Uint8Array ? [source] : source) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) {
          throw new ApiError(
            "document_too_large",
            `The file is larger than ${maxBytes} bytes. Split it, or raise ingest.maxDocumentBytes.`,
          );
        }
        hash.update(chunk);
        await space.beforeWrite(chunk.byteLength);
        await file.writeFile(chunk);
        space.written(chunk.byteLength);
      }
      if (options.flush) await file.datasync();
    } finally {
      await file.close();
    }
    return { hash: hash.digest("hex"), bytes };
  };

  return {
    async put(source, maxBytes, declaredBytes = 0) {
      const draft = join(drafts, Bun.randomUUIDv7());
      const expected = source instanceof Uint8Array ? source.byteLength : declaredBytes;
      const space = await options.reserve(Math.min(expected, maxBytes), "uploads");
      try {
        const written = await writeDraft(draft, source, maxBytes, space);
        holds.set(written.hash, (holds.get(written.hash) ?? 0) + 1);
        try {
          await serialize(written.hash, async () => {
            await mkdir(join(folder, written.hash.slice(0, 2)), { recursive: true, mode: 0o700 });
            await rename(draft, pathOf(written.hash));
          });
        } catch (error) {
          endHold(written.hash);
          throw error;
        }
        return written;
      } catch (error) {
        await rm(draft, { force: true });
        throw options.explain(error);
      } finally {
        space.release();
      }
    },
    async read(hash) {
      if (!isHash(hash)) return null;
      return readFile(pathOf(hash)).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
    },
    async open(hash) {
      if (!isHash(hash)) return null;
      const found = await stat(pathOf(hash)).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return found === null ? null : { stream: Bun.file(pathOf(hash)).stream(), bytes: found.size };
    },
    async release(hash) {
      endHold(hash);
      await removeIfUnused(hash);
    },
    adopt: endHold,
    removeIfUnused,
    keepAll() {
      keepers += 1;
      let ended = false;
      return async () => {
        if (ended) return;
        ended = true;
        keepers -= 1;
        if (keepers > 0) return;
        const hashes = [...kept];
        kept.clear();
        await inParallel(hashes, 4, removeIfUnused);
      };
    },
    async sweep() {
      const referred = await options.referredHashes();
      let removed = 0;
      for (const draft of await readdir(drafts)) {
        await unlink(join(drafts, draft));
        removed += 1;
      }
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        if (!entry.isDirectory() || !/^[0-9a-f]{2}$/.test(entry.name)) continue;
        for (const name of await readdir(join(folder, entry.name))) {
          if (!isHash(name) || referred.has(name)) continue;
          await unlink(join(folder, entry.name, name));
          removed += 1;
        }
      }
      return removed;
    },
  };
};
