import { nextTurn } from "../../async/yield.ts";
import { ApiError } from "../../domain/errors.ts";
import { type CommitPace, createCommitPace } from "./commit-pace.ts";
import { createHeldWrites } from "./held-writes.ts";
import { planWrites, rowsOf, type Write, type WriteGroup } from "./write-plan.ts";

/** Orders the writes of one table. Writes that wait while a commit runs share the next one. */
export interface WriteQueue {
  /** Resolves when the write is committed (work: done) and, if it is durable, on disk. @throws ApiError overloaded, storage_unavailable */
  push(write: Write): Promise<void>;
  /** Waits for all writes. */
  settle(): Promise<void>;
}

interface Waiting {
  readonly write: Write;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

const maxWaitingWrites = 10_000;
/** Commits beside work: each leaves files that the work does not merge. With so many, added rows wait too. */
const maxCommitsBeside = 400;
/** Rows that may wait to be written: about 200 MB of snippets. */
export const maxWaitingRows = 50_000;

/** The error for a write that would exceed the limits of waiting writes. */
export const tooManyWaiting = (): ApiError =>
  new ApiError("overloaded", "the store cannot keep up with the writes: try again in a moment", {
    headers: { "Retry-After": "1" },
  });

/**
 * @param commit makes one commit of a group
 * @param sync resolves when all commits are on disk; runs beside the next commit
 * @param pace of commits beside work
 */
export const createWriteQueue = (
  commit: (group: WriteGroup<{ readonly write: Write }>) => Promise<void>,
  sync: () => Promise<void>,
  pace: CommitPace = createCommitPace(),
): WriteQueue => {
  let waiting: Waiting[] = [];
  let waitingRows = 0;
  let draining: Promise<void> | null = null;
  /** Whether work runs beside added rows; other writes are held meanwhile. */
  let isBeside = false;
  let commitsBeside = 0;
  /** The end of that work, when it is due. */
  let finish: (() => Promise<void>) | null = null;
  /** Called when it is. */
  let onEnd: () => void = () => undefined;
  const held = createHeldWrites<Waiting>();
  /** Called when a write arrives, and when the end is due. */
  let onChange: () => void = () => undefined;
  const unsettled = new Set<Promise<void>>();

  const run = async (group: WriteGroup<Waiting>): Promise<void> => {
    try {
      await commit(group);
    } catch (error) {
      for (const member of group.members) member.reject(error);
      return;
    }
    const durable: Waiting[] = [];
    for (const member of group.members) {
      if ("durable" in member.write && member.write.durable) durable.push(member);
      else member.resolve();
    }
    if (durable.length === 0) return;
    const synced = sync().then(
      () => {
        for (const member of durable) member.resolve();
      },
      (error: unknown) => {
        for (const member of durable) member.reject(error);
      },
    );
    unsettled.add(synced);
    void synced.finally(() => unsettled.delete(synced));
  };

  const startBeside = ({ write, resolve, reject }: Waiting): void => {
    if (write.kind !== "beside") return;
    isBeside = true;
    commitsBeside = 0;
    pace.begin();
    const endWith = (settle: () => void): void => {
      finish = () => write.finish().then(settle, reject);
      onEnd();
      onChange();
    };
    write.work().then(
      () => endWith(resolve),
      (error: unknown) => endWith(() => reject(error)),
    );
  };

  const start = async (planned: WriteGroup<Waiting>): Promise<void> => {
    const group = isBeside ? held.holdBack(planned, commitsBeside >= maxCommitsBeside) : planned;
    if (group === null) return;
    if (group.kind === "beside") return group.members.forEach(startBeside);
    commitsBeside += 1;
    pace.noteCommit();
    await run(group);
  };

  /** Writes that come meanwhile share the commit. */
  const untilDue = async (): Promise<void> => {
    const ms = pace.waitMs();
    if (!isBeside || finish !== null || ms === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      onEnd = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };

  const drain = async (): Promise<void> => {
    await nextTurn(); // callers of the same moment share a commit
    while (waiting.length > 0 || isBeside) {
      await untilDue();
      if (finish !== null) {
        await finish();
        finish = null;
        isBeside = false;
        waiting = [...held.takeAll(), ...waiting];
      }
      const batch = waiting;
      waiting = [];
      waitingRows = 0;
      for (const group of planWrites(batch)) await start(group);
      if (!isBeside || finish !== null || waiting.length > 0) continue;
      await new Promise<void>((resolve) => {
        onChange = resolve;
      });
    }
    draining = null;
  };

  return {
    push(write) {
      const rows = rowsOf(write);
      const writes = waiting.length + held.size().writes;
      const rowsBefore = waitingRows + held.size().rows;
      if (writes >= maxWaitingWrites || (writes > 0 && rowsBefore + rows > maxWaitingRows)) {
        return Promise.reject(tooManyWaiting());
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ write, resolve, reject });
      waitingRows += rows;
      onChange();
      draining ??= drain();
      return promise;
    },
    async settle() {
      while (draining !== null || unsettled.size > 0) {
        await draining;
        await Promise.all(unsettled);
      }
    },
  };
};
