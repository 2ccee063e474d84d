import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { inParallel } from "../async/in-parallel.ts";
import { createKeyedMutex, createSharedRun } from "../async/keyed-mutex.ts";
import { pause } from "../async/waiting.ts";
import { ApiError, codeOf, messageOf } from "../domain/errors.ts";
import type { Logger } from "../log/log.ts";
import type { Replication } from "../store/contract.ts";
import { folderOf } from "../store/disk/table-folder.ts";
import type { SharedBucket } from "./bucket.ts";
import { type Head, hasStore, headObject, newestNumber, olderHeads, writeHead } from "./head.ts";
import {
  filesOfTable,
  newestManifestOf,
  newestManifests,
  newManifestObject,
  noteNames,
  objectOfFile,
  removeAfterMs,
  type TableFile,
} from "./table-files.ts";

/** The process that writes a shared store: the bucket has what it acknowledges. */
export interface Keeper {
  readonly replication: Replication;
  /** Of what is stored; goes up with each change. */
  version(): number;
  /** Resolves when another process has taken the keeper's place: nothing can be written any more. */
  readonly lost: Promise<void>;
  /** The store is open: what the keeper before left half done is done. */
  noteOpened(): void;
  /** Brings the rest to the bucket, and gives the place up. The store is closed. */
  close(): Promise<void>;
}

interface KeeperOptions {
  bucket: SharedBucket;
  dataDir: string;
  /** The head that gave this process the place. */
  taken: Head;
  /** The files of tables that the bucket has, by path. */
  inBucket: ReadonlyMap<string, TableFile>;
  fetchFile: Replication["fetchFile"];
  log: Logger;
}

/** A keeper shows that it lives this often; it is taken for dead after `deadAfterMs` (src/replication/place.ts). */
const beatEveryMs = 2_000;
/** Changes that nobody waits for, such as those of upkeep, are looked for this often. */
const lookEveryMs = 1_000;
/** So long nobody removes a head: until then the number after the own one shows whether another process has come. */
const keepHeadsMs = 600_000;
/** After a pause of that length the newest head is looked for. */
const trustMs = 30_000;
/** Commits of other tables come while the newest versions are read: then they are read again. */
const maxLooks = 50;
/** Upkeep removes files while they are sent: then a newer version is there. */
const maxPasses = 20;
/** After a table was sent, upkeep may remove files of its older versions for so long: erased rows are in them. */
const upkeepMs = 90_000;
const lookForRemovedMs = 5_000;
/** Uploaded files that are removed before others are sent. */
const maxRemovalsFirst = 16;
const maxUploads = 8;
const retryMs = 1_000;
/** A file that was sent so long after its last change is whole. */
const settledAfterMs = 60_000;

/** The newest manifests of one moment. */
const stillManifests = async (dataDir: string): Promise<Map<string, TableFile>> => {
  let before = await newestManifests(dataDir);
  for (let look = 1; look < maxLooks; look += 1) {
    const now = await newestManifests(dataDir);
    if (now.size === before.size && [...now].every(([table, { path }]) => before.get(table)?.path === path)) return now;
    before = now;
  }
  throw new Error("the tables do not stand still for a moment");
};

/** By the clock and by the time that passes: the one may be set, the other stands still while a machine sleeps. */
interface Moment {
  readonly clock: number;
  readonly passed: number;
}

const momentNow = (): Moment => ({ clock: Date.now(), passed: performance.now() });

const passedSince = ({ clock, passed }: Moment): number => Math.max(Date.now() - clock, performance.now() - passed);

/** A newer version of a table is there: upkeep may have removed files of the one that was to be sent. */
class MovedOnError extends Error {
  override readonly name = "MovedOnError";
}

const isSame = (one: TableFile | undefined, other: TableFile): boolean =>
  one?.path === other.path && one.bytes === other.bytes && one.modifiedAt === other.modifiedAt;

export const createKeeper = (options: KeeperOptions): Keeper => {
  const { bucket, dataDir, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const lost = Promise.withResolvers<void>();
  let isLost = false;
  let current = options.taken;
  let writtenAt = momentNow();
  /** What the keeper before had begun to publish or to replace. */
  let carried: readonly string[] = current.unpublished;
  let watch: () => () => string[] = () => () => [];
  /** The files of tables in the bucket. */
  const sent = new Map(options.inBucket);
  const manifests = new Map<string, TableFile>();
  /** When tables were sent last (`performance.now()`); those of which upkeep may still remove files. */
  const tableSentAt = new Map<string, number>();
  const noted = new Set<string>();
  const notedAt = new Map<string, number>();
  /** Objects that the next head no longer names. */
  const abandoned = new Set<string>();
  /** Objects that no head names any more, and when they are removed (`performance.now()`). */
  const unneeded = new Map<string, number>();
  const removeLater = (object: string, afterMs = removeAfterMs): void => {
    unneeded.set(object, performance.now() + afterMs);
  };
  const needed = (object: string): void => {
    unneeded.delete(object);
    abandoned.delete(object);
  };

  const readNotes = async (): Promise<Head["notes"]> => {
    const notes = { ...current.notes };
    for (const name of noteNames) {
      const path = join(dataDir, name);
      const found = await stat(path).catch(() => null);
      if (found === null || notedAt.get(name) === found.mtimeMs) continue;
      notes[name] = (await readFile(path)).toString("base64");
      notedAt.set(name, found.mtimeMs);
    }
    return notes;
  };

  /** What the bucket has of a table and the disk has not. @param files of it that are on the disk */
  const missingIn = (table: string, files: readonly TableFile[]): string[] => {
    const here = new Set(files.map(({ path }) => path));
    const inTable = `${folderOf(table)}/`;
    return [...sent.keys()].filter((path) => path.startsWith(inTable) && !here.has(path));
  };

  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Upkeep removes files without a new version: of the current one the bucket has all that it names. */
  const noteRemoved = async (): Promise<void> => {
    const now = performance.now();
    if (now - lookedAt < lookForRemovedMs) return;
    lookedAt = now;
    for (const [table, at] of tableSentAt) {
      if (now - at > upkeepMs) tableSentAt.delete(table);
      for (const path of missingIn(table, await filesOfTable(dataDir, table, sent)))
        if (!unneeded.has(path)) removeLater(path);
    }
  };

  /** Sends the files of a table that the bucket lacks, then its manifest under a name of its own. */
  const sendTable = async (table: string, manifest: TableFile): Promise<Head["tables"][string]> => {
    const now = Date.now();
    const settled = new Map([...sent].filter(([, file]) => now - file.modifiedAt > settledAfterMs));
    const files = await filesOfTable(dataDir, table, settled);
    // What is not current any more may lack files: those of a current version stay.
    const stillIs = async (): Promise<void> => {
      if ((await newestManifestOf(dataDir, table)) !== manifest.path) throw new MovedOnError(table);
    };
    await stillIs();
    const lacking = files.filter((file) => sent.get(file.path)?.bytes !== file.bytes);
    await inParallel(lacking, maxUploads, async (file) => {
      try {
        await bucket.upload(file.path, join(dataDir, file.path), signal);
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw error;
        return await stillIs(); // no version names it: a write that failed left it
      }
      sent.set(file.path, file);
      needed(file.path);
    });
    const object = newManifestObject(table);
    abandoned.add(object); // until a head names it
    await bucket.upload(object, join(dataDir, manifest.path), signal);
    for (const path of missingIn(table, files)) abandoned.add(path);
    tableSentAt.set(table, performance.now());
    return { name: basename(manifest.path), object, bytes: manifest.bytes };
  };

  const sendFiles = async (hashes: readonly string[]): Promise<void> => {
    await inParallel(hashes, maxUploads, async (hash) => {
      const object = objectOfFile(hash);
      try {
        await bucket.upload(object, join(dataDir, object), signal);
        needed(object);
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw error;
        abandoned.add(object);
      }
    });
  };

  const remove = async (object: string): Promise<void> => {
    await bucket.remove(object, signal);
    unneeded.delete(object);
    sent.delete(object);
  };
  const dueNow = (): string[] => {
    const now = performance.now();
    return [...unneeded].filter(([, dueAt]) => dueAt <= now).map(([object]) => object);
  };
  /** The same uploaded file may come again, under the same name: it is removed while none is sent. */
  const removeFilesFirst = async (): Promise<void> => {
    const files = dueNow().filter((object) => object.startsWith("files/"));
    await inParallel(files.slice(0, maxRemovalsFirst), maxUploads, remove);
  };
  const removeOthers = async (): Promise<void> => {
    for (const object of dueNow()) if (!object.startsWith("files/")) await remove(object);
  };

  /** @returns false where a file was removed before it was sent */
  const pass = async (): Promise<boolean> => {
    const unwatch = watch();
    let now: Map<string, TableFile>;
    try {
      now = await stillManifests(dataDir);
    } finally {
      carried = [...new Set([...carried, ...unwatch()])];
    }
    const changed = [...now].filter(([table, manifest]) => !isSame(manifests.get(table), manifest));
    const gone = Object.keys(current.tables).filter((table) => !now.has(table));
    const hashes = [...noted];
    const notes = await readNotes();
    noted.clear();
    try {
      await removeFilesFirst();
      await sendFiles(hashes);
      const tables = { ...current.tables };
      const named = await inParallel(changed, 2, async ([table, manifest]) => [
        table,
        await sendTable(table, manifest),
      ]);
      Object.assign(tables, Object.fromEntries(named));
      for (const table of gone) delete tables[table];
      await move({ tables, notes, gone, unpublished: carried, isFiles: hashes.length > 0 });
    } catch (error) {
      for (const hash of hashes) noted.add(hash);
      if (error instanceof MovedOnError || codeOf(error) === "ENOENT") return false;
      throw error;
    }
    for (const [table, manifest] of changed) manifests.set(table, manifest);
    return true;
  };

  interface Move {
    tables: Head["tables"];
    notes: Head["notes"];
    gone: readonly string[];
    unpublished: readonly string[];
    isFiles: boolean;
  }

  const lose = (): Error => {
    isLost = true;
    lost.resolve();
    return new Error("another process writes the shared store now");
  };

  /**
   * After a pause another process may have taken the place and removed its first heads: then the next number would be free.
   * @param since when no other head can have been removed yet
   */
  const proveNewest = async (number: number, since: Moment): Promise<void> => {
    if (passedSince(since) < trustMs) return;
    if ((await newestNumber(bucket, signal)) !== number) throw lose();
  };

  const oneAtATime = createKeyedMutex();
  /** Writes the next head. @param change what is new in it; null: none is needed @returns the one before */
  const writeNext = (change: (before: Head) => Partial<Head> | null): Promise<Head | null> =>
    oneAtATime("head", async () => {
      const before = current;
      const changed = change(before);
      if (changed === null) return null;
      await proveNewest(before.number, writtenAt);
      const sentAt = momentNow();
      const { nonce: _, number, ...rest } = before;
      const next = await writeHead(bucket, { ...rest, ...changed }, number, signal);
      if (next === null) throw lose();
      await proveNewest(next.number, sentAt);
      writtenAt = sentAt;
      current = next;
      removeLater(headObject(before.number), keepHeadsMs);
      return before;
    });

  /** To send the tables takes a while where upkeep has written a large one anew: the others see that this process lives. */
  const showLife = async (): Promise<void> => {
    await writeNext(() => (passedSince(writtenAt) < beatEveryMs ? null : {}));
  };

  /** Writes the head where something changed, or it is time to show that the keeper lives. */
  const move = async ({ tables, notes, gone, unpublished, isFiles }: Move): Promise<void> => {
    const before = await writeNext((last) => {
      const isChanged =
        isFiles ||
        gone.length > 0 ||
        !Bun.deepEquals([tables, notes, unpublished], [last.tables, last.notes, last.unpublished]);
      if (!isChanged && passedSince(writtenAt) < beatEveryMs) return null;
      return {
        version: last.version + (isChanged ? 1 : 0),
        arriving: last.arriving && !hasStore({ tables }),
        tables,
        unpublished: [...unpublished],
        files: last.files + (isFiles ? 1 : 0),
        notes,
      };
    });
    if (before === null) return;
    for (const [table, { object }] of Object.entries(before.tables))
      if (tables[table]?.object !== object) removeLater(object);
    for (const table of gone) {
      manifests.delete(table);
      for (const path of sent.keys()) if (path.startsWith(`${folderOf(table)}/`)) removeLater(path);
    }
    for (const { object } of Object.values(tables)) abandoned.delete(object);
    for (const object of abandoned) removeLater(object);
    abandoned.clear();
  };

  /** Why the bucket does not take changes at the moment; null: it does. */
  let failure: string | null = null;

  const run = async (): Promise<void> => {
    if (isLost) throw new Error("another process writes the shared store now");
    try {
      for (let count = 1; !(await pass()); count += 1)
        if (count === maxPasses) throw new Error("the tables changed again and again while they were sent");
      // What is in the head is listed again only while it is still hidden.
      if (isOpened) carried = [];
      if (failure !== null) log.info({ bucket: bucket.name }, "the shared store takes changes again");
      failure = null;
    } catch (error) {
      if (failure === null && !isLost && !signal.aborted)
        log.error({ error: messageOf(error) }, "the shared store takes no changes: writes are refused until it does");
      failure = messageOf(error);
      throw error;
    }
  };

  const refusal = (why: string): ApiError =>
    new ApiError("storage_unavailable", `the shared store cannot take changes: ${why}`, {
      headers: { "Retry-After": "2" },
    });

  let isOpened = false;
  const { next: replicate } = createSharedRun(run);

  /** What the keepers before have left. */
  const removeLeftovers = async (): Promise<void> => {
    for (const object of await olderHeads(bucket, options.taken.number, signal)) removeLater(object, keepHeadsMs);
    const names = ({ tables }: Head): string[] => Object.values(tables).map(({ object }) => object);
    for await (const { name } of bucket.list("manifests", signal)) {
      const isNamed = names(options.taken).includes(name) || names(current).includes(name) || abandoned.has(name);
      if (!isNamed) removeLater(name, keepHeadsMs);
    }
  };

  let beating = removeLeftovers().catch(() => undefined); // the next keeper does it
  const beat = async (): Promise<void> => {
    try {
      await replicate();
      await noteRemoved();
      await removeOthers();
    } catch {
      // Told of in `run`; what could not be removed is tried again.
    }
  };
  let isBeating = false;
  const timer = setInterval(() => {
    if (isLost) return;
    if (isBeating) return void showLife().catch(() => undefined); // told of by what is under way
    isBeating = true;
    beating = beat().finally(() => {
      isBeating = false;
    });
  }, lookEveryMs);

  return {
    replication: {
      check() {
        if (failure !== null) throw refusal(failure);
      },
      async replicate() {
        // What is committed here cannot be taken back: its caller waits until the bucket has it too.
        for (;;) {
          try {
            return await replicate();
          } catch (error) {
            if (isLost || signal.aborted) throw refusal(messageOf(error));
            await pause(retryMs, signal);
          }
        }
      },
      noteFile: (hash) => void noted.add(hash),
      fetchFile: options.fetchFile,
      attach(given) {
        watch = given;
      },
    },
    version: () => current.version,
    lost: lost.promise,
    noteOpened() {
      isOpened = true;
    },
    async close() {
      clearInterval(timer);
      await beating;
      watch = () => () => [];
      try {
        await replicate();
        await writeNext(() => ({ keeper: null }));
      } catch (error) {
        if (!isLost) log.warn({ error: messageOf(error) }, "the shared store could not be left in order");
      } finally {
        stopping.abort(new Error("the server stops"));
      }
    },
  };
};
