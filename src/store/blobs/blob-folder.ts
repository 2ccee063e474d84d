import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { inParallel } from "../../async/in-parallel.ts";
import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import { ApiError, codeOf } from "../../domain/errors.ts";
import type { BlobStore } from "../contract/documents.ts";
import type { Replication } from "../contract/keeping.ts";
import type { FreeSpaceGuard, SpaceReservation } from "../disk/free-space.ts";
import { type DamageRegister, nobody } from "../engine/damage.ts";
import { isHash, storedFile } from "./file-hash.ts";

interface DraftOptions {
  /** A file that does not exist yet. */
  path: string;
  maxBytes: number;
  space: SpaceReservation;
  /** Whether to wait until the file is on disk. */
  flush: boolean;
}

/**
 * Writes a draft, and computes its hash meanwhile.
 * @returns the SHA-256 (hexadecimal digits) and the length of what was written
 * @throws ApiError document_too_large
 */
const writeDraft = async (
  { path, maxBytes, space, flush }: DraftOptions,
  source: ReadableStream<Uint8Array> | Uint8Array,
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
    if (flush) await file.datasync();
  } finally {
    await file.close();
  }
  return { hash: hash.digest("hex"), bytes };
};

/** Files stay while somebody copies them, whatever is deleted meanwhile. */
interface KeptFiles {
  /** Notes a file that would be removed now. @returns whether it stays */
  keep(hash: string): boolean;
  /** From now on files stay. @returns ends that, and removes what was noted unless somebody else keeps files too */
  begin(): () => Promise<void>;
}

const removedAtOnce = 4;

/** @param remove removes a file that was noted, unless it is needed again by now */
const createKeptFiles = (remove: (hash: string) => Promise<void>): KeptFiles => {
  let keepers = 0;
  const noted = new Set<string>();
  return {
    keep(hash) {
      if (keepers === 0) return false;
      noted.add(hash);
      return true;
    },
    begin() {
      keepers += 1;
      let isEnded = false;
      return async () => {
        if (isEnded) return;
        isEnded = true;
        keepers -= 1;
        if (keepers > 0) return;
        const hashes = [...noted];
        noted.clear();
        await inParallel(hashes, removedAtOnce, remove);
      };
    },
  };
};

/** Removes files that were not finished when the process ended. @returns how many */
const removeDrafts = async (drafts: string): Promise<number> => {
  const names = await readdir(drafts);
  for (const name of names) await unlink(join(drafts, name));
  return names.length;
};

/** Removes the files that no document names. @returns how many */
const removeUnnamed = async (folder: string, referred: ReadonlySet<string>): Promise<number> => {
  let removed = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !/^[0-9a-f]{2}$/.test(entry.name)) continue;
    for (const name of await readdir(join(folder, entry.name))) {
      if (!isHash(name) || referred.has(name)) continue;
      await unlink(join(folder, entry.name, name));
      removed += 1;
    }
  }
  return removed;
};

/** Which files are held by a `put` whose document is not stored yet: they must not be removed. */
export interface Holds {
  begin(hash: string): void;
  end(hash: string): void;
  has(hash: string): boolean;
}

/** Several puts of the same file hold it together: it is held until the last of them has ended. */
const createHolds = (): Holds => {
  const counts = new Map<string, number>();
  return {
    begin(hash) {
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    },
    end(hash) {
      const left = (counts.get(hash) ?? 0) - 1;
      if (left > 0) counts.set(hash, left);
      else counts.delete(hash);
    },
    has: (hash) => counts.has(hash),
  };
};

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

interface BlobFolderOptions {
  folder: string;
  isReferred(hash: string): Promise<boolean>;
  referredHashes(): Promise<Set<string>>;
  reserve: FreeSpaceGuard["reserve"];
  explain(error: unknown): unknown;
  damage: Pick<DamageRegister, "error" | "note" | "settle">;
  /** Whether to wait until written files are on disk. */
  flush: boolean;
  /** Where the files are kept as well. */
  elsewhere: Pick<Replication, "noteFile" | "fetchFile"> | null;
}

const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT";

/** Files named by the SHA-256 of their content, in folders named by its first two digits. */
export const createBlobFolder = async (options: BlobFolderOptions): Promise<BlobFolder> => {
  const { folder, isReferred } = options;
  const drafts = join(folder, "drafts");
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);
  const serialize = createKeyedMutex();
  const holds = createHolds();
  const settle = (hash: string): void => options.damage.settle(({ kind, id }) => kind === "file" && id === hash);
  const removeIfUnused = (hash: string): Promise<void> =>
    serialize(hash, async () => {
      if (!isHash(hash) || holds.has(hash) || (await isReferred(hash))) return;
      if (!kept.keep(hash)) {
        await rm(pathOf(hash), { force: true });
        options.elsewhere?.noteFile(hash);
      }
      settle(hash);
    });
  const kept = createKeptFiles(removeIfUnused);

  const sizeHere = (hash: string): Promise<number | null> =>
    stat(pathOf(hash)).then(
      ({ size }) => size,
      (error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      },
    );
  const sizeOf = async (hash: string): Promise<number | null> => {
    const size = await sizeHere(hash);
    if (size !== null || options.elsewhere === null) return size;
    return (await options.elsewhere.fetchFile(hash, pathOf(hash))) ? await sizeHere(hash) : null;
  };

  /** @returns the length; null if there is no such file @throws ApiError data_damaged where its content is another one */
  const verify = async (hash: string): Promise<number | null> => {
    const size = await sizeOf(hash);
    if (size === null) return null;
    const digest = createHash("sha256");
    for await (const piece of Bun.file(pathOf(hash)).stream()) digest.update(piece);
    if (digest.digest("hex") !== hash) throw await damaged(hash);
    return size;
  };

  const noted = async (hash: string, [detail, said]: readonly [string, string]): Promise<ApiError> => {
    options.damage.note({ ...nobody, kind: "file", where: storedFile(hash), id: hash, detail });
    return await options.damage.error(`The stored file ${hash} ${said}, which uploading it again mends`);
  };
  const damaged = (hash: string) => noted(hash, ["a stored file is not as it was written", "is damaged"]);
  /** A document that is deleted meanwhile takes its file along: only what is still named is lost. */
  const nothingOrLost = async (hash: string): Promise<null> => {
    if (await isReferred(hash)) throw await noted(hash, ["a stored file is missing", "is missing"]);
    return null;
  };

  return {
    async put(source, maxBytes, declaredBytes = 0) {
      const draft = join(drafts, Bun.randomUUIDv7());
      const expected = source instanceof Uint8Array ? source.byteLength : declaredBytes;
      const space = await options.reserve(Math.min(expected, maxBytes), "uploads");
      try {
        const written = await writeDraft({ path: draft, maxBytes, space, flush: options.flush }, source);
        holds.begin(written.hash);
        try {
          await serialize(written.hash, async () => {
            await mkdir(join(folder, written.hash.slice(0, 2)), { recursive: true, mode: 0o700 });
            await rename(draft, pathOf(written.hash));
            options.elsewhere?.noteFile(written.hash);
            settle(written.hash);
          });
        } catch (error) {
          holds.end(written.hash);
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
    async hold(hash) {
      if (!isHash(hash)) return false;
      return await serialize(hash, async () => {
        const isWhole = await verify(hash).then(
          (bytes) => bytes !== null,
          (error: unknown) => {
            if (error instanceof ApiError) return false; // whoever puts it again mends it
            throw error;
          },
        );
        if (isWhole) holds.begin(hash);
        return isWhole;
      });
    },
    async read(hash) {
      if (!isHash(hash)) return null;
      if (options.elsewhere !== null) await sizeOf(hash); // brings it here
      const bytes = await readFile(pathOf(hash)).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (bytes === null) return await nothingOrLost(hash);
      if (createHash("sha256").update(bytes).digest("hex") !== hash) throw await damaged(hash);
      return bytes;
    },
    size: async (hash) => (isHash(hash) ? await sizeOf(hash) : null),
    async open(hash) {
      if (!isHash(hash)) return null;
      const bytes = await verify(hash);
      return bytes === null ? await nothingOrLost(hash) : { stream: Bun.file(pathOf(hash)).stream(), bytes };
    },
    async release(hash) {
      holds.end(hash);
      await removeIfUnused(hash);
    },
    adopt: holds.end,
    removeIfUnused,
    keepAll: kept.begin,
    async sweep() {
      return (await removeDrafts(drafts)) + (await removeUnnamed(folder, await options.referredHashes()));
    },
  };
};
