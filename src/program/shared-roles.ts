import { createNotifier } from "../async/waiting.ts";
import { ApiError, messageOf } from "../domain/errors.ts";
import type { SharedRole } from "../http/shared-role.ts";
import type { Logger } from "../log/log.ts";
import type { SharedBucket } from "../replication/bucket.ts";
import type { Head } from "../replication/head.ts";
import { createKeeper } from "../replication/keeper.ts";
import { HeadIsOldError, type Mirror } from "../replication/mirror.ts";
import type { HeadWatch } from "../replication/place.ts";
import { createReaderNotes } from "../replication/reader-notes.ts";
import { createReplicaStore } from "../replication/replica-store.ts";
import { createSendOn, senderFrom } from "../replication/send-on.ts";
import type { Store } from "../store/contract.ts";
import type { StoreReader } from "../store/open-reader.ts";
import type { OpenProgram } from "./assemble-program.ts";
import type { ProgramOptions } from "./environment.ts";
import { openProgram } from "./open-program.ts";

/** What this process is in a shared store at the moment. */
export interface Role {
  readonly program: OpenProgram;
  /** Lets go of the store. */
  close(): Promise<void>;
}

export interface SharedParts {
  bucket: SharedBucket;
  dataDir: string;
  cacheBytes: number | null;
  mirror: Mirror;
  watch: HeadWatch;
  log: Logger;
}

/** How long a request waits for what another process stored. */
const maxWaitMs = 5_000;
/** How often it is looked what the bucket says. */
export const lookEveryMs = 500;
/** Uploaded files are compared with the bucket's no more often than this. */
const filesEveryMs = 20_000;

/** The process that writes: its store answers, and is kept in the bucket. */
interface WriterRole extends Role {
  /** Resolves when another process has taken its place. */
  readonly lost: Promise<void>;
}

/**
 * Opens the store to be written.
 * @param taken the head that gave this process the place; the mirror has adopted it
 * @param beforeOpening gives the lock of the data directory back: the store takes it
 */
export const becomeWriter = async (
  { bucket, dataDir, mirror, log }: SharedParts,
  taken: Head,
  program: Omit<ProgramOptions, "openStore" | "shared">,
  beforeOpening: () => Promise<void>,
): Promise<WriterRole> => {
  const keeper = createKeeper({
    bucket,
    dataDir,
    taken,
    inBucket: mirror.inBucket(),
    fetchFile: mirror.fetchFile,
    log,
  });
  const opened: { store?: Store } = {};
  const shared: SharedRole = {
    version: keeper.version,
    reached: async (version) => version <= keeper.version(),
    senderOf: (request) => (opened.store === undefined ? null : senderFrom(opened.store.secret, request)),
    sendOn: null,
  };
  const stopping = new AbortController();
  try {
    const open = await openProgram({
      ...program,
      shared,
      async openStore(standard) {
        await beforeOpening();
        opened.store = await standard(keeper.replication);
        return opened.store;
      },
    });
    keeper.noteOpened();
    mirror
      .adoptFiles(false, stopping.signal)
      .catch((error: unknown) => log.warn({ error: messageOf(error) }, "uploaded files are still in the bucket alone"));
    return {
      program: open,
      lost: keeper.lost,
      async close() {
        stopping.abort(new Error("the store closes"));
        await open.close();
        await keeper.close();
      },
    };
  } catch (error) {
    await keeper.close();
    throw error;
  }
};

/** A process that reads: it follows what the writer stores, and sends on what is to be written. */
interface ReaderRole extends Role {
  /** Resolves when this process has taken the writer's place, with all that the store holds. */
  readonly taken: Promise<Head>;
}

/**
 * Opens the store to be read.
 * @param head what the mirror has adopted
 * @param take takes the writer's place where it is free; null where another process was first
 */
export const becomeReader = async (
  parts: SharedParts,
  head: Head,
  program: Omit<ProgramOptions, "openStore" | "shared">,
  take: (head: Head) => Promise<Head | null>,
): Promise<ReaderRole> => {
  const { dataDir, cacheBytes, mirror, watch, log } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let adopted = head;
  let known = head;
  let gone = new AbortController();
  const changed = createNotifier();
  const asked = createNotifier();
  // Imported only now: LanceDB finds its addon when it is first imported.
  const { createStoreReader } = await import("../store/open-reader.ts");
  let reader: StoreReader = await createStoreReader({ dataDir, cacheBytes, log });
  const openNow = (of: Head): Promise<Store> =>
    reader.open({ unpublished: of.unpublished, fetchFile: mirror.fetchFile });
  const first = await openNow(head);
  const keeperAddress = (): string | null => known.keeper?.address ?? null;
  const notes = createReaderNotes({ secret: first.secret, keeperAddress, signal, log });
  const replica = createReplicaStore(first, (store) => ({
    ...store,
    organizations: {
      ...store.organizations,
      async upsert(name) {
        const known = await store.organizations.getByName(name);
        if (known !== null) return known;
        throw new ApiError(
          "storage_unavailable",
          `Only the server that writes the shared store makes organizations: run this at ${keeperAddress() ?? "that one"}.`,
        );
      },
    },
    receipts: { ...store.receipts, add: notes.receipts.add },
    sessions: { ...store.sessions, touch: notes.sessions.touch },
  }));

  const reached: SharedRole["reached"] = async (version, requestSignal) => {
    const limit = AbortSignal.any([requestSignal, signal, AbortSignal.timeout(maxWaitMs)]);
    while (adopted.version < version && !limit.aborted) {
      const { count } = changed;
      asked.notify();
      await changed.next(count, limit);
    }
    return adopted.version >= version;
  };
  const shared: SharedRole = {
    version: () => adopted.version,
    reached,
    senderOf: () => null,
    sendOn: createSendOn({
      secret: first.secret,
      keeperAddress,
      keeperGone: () => gone.signal,
      notesSent: notes.sent,
      reached,
    }),
  };
  const open = await openProgram({ ...program, shared, openStore: async () => replica.store });

  /** Former stores that are still in use: the files that they read stay. */
  let former = 0;
  const adopt = async (next: Head): Promise<void> => {
    await mirror.adopt(next, performance.now(), signal);
    if (next.epoch !== adopted.epoch) {
      // Two writers may have had one version of a table: nothing that is cached of it counts.
      const before = reader;
      reader = await createStoreReader({ dataDir, cacheBytes, log });
      setTimeout(() => before.close(), maxWaitMs).unref();
    }
    const newer = await openNow(next);
    adopted = next;
    former += 1;
    void replica
      .replace(newer)
      .catch((error: unknown) =>
        log.debug({ error: messageOf(error) }, "a former view of the store could not be closed"),
      )
      .finally(async () => {
        former -= 1;
        if (former === 0) await mirror.tidy();
      });
    changed.notify();
  };

  const taken = Promise.withResolvers<Head>();
  let isTaken = false;
  let filesSeen = -1;
  let filesAt = Number.NEGATIVE_INFINITY;
  const followFiles = async (): Promise<void> => {
    const { files } = adopted;
    if (files === filesSeen || performance.now() - filesAt < filesEveryMs) return;
    filesAt = performance.now();
    await mirror.adoptFiles(true, signal);
    filesSeen = files;
  };
  const look = async (): Promise<void> => {
    const found = await watch.look(signal);
    if (found === null) throw new Error("the bucket holds no store any more");
    if (found.keeper?.id !== known.keeper?.id || found.epoch !== known.epoch) {
      gone.abort(new Error("another process writes"));
      gone = new AbortController();
    }
    known = found;
    const isNews = found.version !== adopted.version || found.epoch !== adopted.epoch;
    await mirror.sweep(signal);
    if (former === 0) await mirror.tidy();
    if (isNews) await adopt(found);
    else if (watch.isFree()) {
      const own = await take(found);
      if (own === null) return;
      isTaken = true;
      known = { ...own, keeper: null }; // nobody writes until this process does
      taken.resolve(own);
    }
  };

  let hasFailed = false;
  let filesRunning: Promise<void> | null = null;
  const follow = async (): Promise<void> => {
    while (!signal.aborted && !isTaken) {
      const { count } = asked;
      try {
        await look();
        if (hasFailed) log.info({ bucket: parts.bucket.name }, "the shared store is followed again");
        hasFailed = false;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof HeadIsOldError) continue;
        if (!hasFailed) log.error({ error: messageOf(error) }, "the shared store cannot be followed: answers grow old");
        hasFailed = true;
      }
      filesRunning ??= followFiles()
        .catch((error: unknown) => log.debug({ error: messageOf(error) }, "uploaded files could not be brought here"))
        .finally(() => {
          filesRunning = null;
        });
      const wait = AbortSignal.any([signal, AbortSignal.timeout(lookEveryMs)]);
      await asked.next(count, wait);
    }
  };
  const following = follow();

  return {
    program: open,
    taken: taken.promise,
    async close() {
      stopping.abort(new Error("the store closes"));
      gone.abort(new Error("the server stops"));
      await following;
      await filesRunning;
      await open.close();
      reader.close();
    },
  };
};
