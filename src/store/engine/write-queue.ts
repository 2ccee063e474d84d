import { nextTurn } from "../../async/yield.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Cells } from "./cells.ts";

interface WriteOrder {
  /** Names what the write touches: writes that share a scope keep their order. */
  readonly scopes: readonly string[];
  /** Whether the caller's promise waits until the write is on disk, and not only until it is committed. */
  readonly durable: boolean;
}

/** One write of a caller. */
export type Write =
  | ({
      readonly kind: "add" | "upsert";
      readonly rows: readonly Cells[];
      /** The content that the rows held before has to leave the disk. */
      readonly supersedes?: boolean;
    } & WriteOrder)
  /** Adds those rows whose key no row holds; the commit puts the other keys into `held`. */
  | ({ readonly kind: "insert"; readonly rows: readonly Cells[]; readonly held: Set<string> } & WriteOrder)
  | ({ readonly kind: "remove"; readonly column: string; readonly values: readonly string[] } & WriteOrder)
  /** Runs alone: after all earlier writes and before all later ones. */
  | { readonly kind: "alone"; readonly work: () => Promise<void> }
  /**
   * Begins after all earlier writes. While it runs, rows are added; all other writes wait. `finish` runs alone at its
   * end, after an error too.
   */
  | { readonly kind: "beside"; readonly work: () => Promise<void>; readonly finish: () => Promise<void> };

/** Writes that become one commit. */
export interface WriteGroup<W> {
  readonly kind: Write["kind"];
  /** Column of a removal. */
  readonly column: string | null;
  readonly members: W[];
  readonly scopes: Set<string>;
}

/** Rows in one commit at most. */
const maxGroupRows = 20_000;

/** The number of rows that a write adds or replaces. */
export const rowsOf = (write: Write): number => ("rows" in write ? write.rows.length : 0);

/**
 * Plans few commits for waiting writes: a write joins an earlier commit of its kind unless a write between them touches
 * the same scope.
 */
export const planWrites = <W extends { readonly write: Write }>(waiting: readonly W[]): WriteGroup<W>[] => {
  const groups: (WriteGroup<W> & { rows: number })[] = [];
  for (const entry of waiting) {
    const { write } = entry;
    const scopes = write.kind === "alone" || write.kind === "beside" ? null : write.scopes;
    const column = write.kind === "remove" ? write.column : null;
    let joined = false;
    for (let index = groups.length - 1; index >= 0 && scopes !== null; index -= 1) {
      const group = groups[index];
      if (group === undefined || group.kind === "alone" || group.kind === "beside") break;
      if (group.kind === write.kind && group.column === column && group.rows + rowsOf(write) <= maxGroupRows) {
        group.members.push(entry);
        for (const scope of scopes) group.scopes.add(scope);
        group.rows += rowsOf(write);
        joined = true;
        break;
      }
      if (scopes.some((scope) => group.scopes.has(scope))) break;
    }
    if (!joined) {
      groups.push({ kind: write.kind, column, members: [entry], scopes: new Set(scopes), rows: rowsOf(write) });
    }
  }
  return groups;
};

/** The last row of each key. */
export const lastByKey = (rows: readonly Cells[], key: string): Cells[] => [
  ...new Map(rows.map((row) => [row[key], row])).values(),
];

/** How often rows are committed while upkeep works on their table. */
interface CommitPace {
  /** Work begins: the first commits beside it need not wait. */
  begin(): void;
  /** How long the next commit has to wait (ms). */
  waitMs(): number;
  noteCommit(): void;
}

/**
 * LanceDB repeats the commit of upkeep when another one came between its look at the newest version and its own, after a
 * pause that may double each time, and gives up after 30 s; what upkeep holds waits as long. On 2 busy cores none of 60
 * commits of upkeep was repeated beside 10 others a second. Beside 17 a second one was 8 times, and upkeep failed; beside 25
 * a second runs of 2 s took 24 to 29 s.
 */
const periodMs = 100;
/** Most runs end before so many commits: until then none waits. */
const atOnce = 24;

/** @param now milliseconds of a clock that is never set back */
export const createCommitPace = (now: () => number = () => performance.now()): CommitPace => {
  /** When all commits so far would have been made at the pace. */
  let due = 0;
  return {
    begin() {
      due = now();
    },
    waitMs: () => Math.max(0, due - atOnce * periodMs - now()),
    noteCommit() {
      due = Math.max(due, now()) + periodMs;
    },
  };
};

/** Writes that wait while work runs beside added rows, in their order. */
interface HeldWrites<W> {
  /**
   * Holds the writes of a group but those that only add rows which no held write concerns.
   * @param all holds those too
   * @returns the group of those that may be committed now; null if there are none
   */
  holdBack(group: WriteGroup<W>, all: boolean): WriteGroup<W> | null;
  /** All held writes; none is held afterwards. */
  takeAll(): W[];
  size(): { readonly writes: number; readonly rows: number };
}

const createHeldWrites = <W extends { readonly write: Write }>(): HeldWrites<W> => {
  let held: W[] = [];
  let rows = 0;
  let holdsAll = false;
  const heldScopes = new Set<string>();
  const scopesOf = ({ write }: W): readonly string[] => ("scopes" in write ? write.scopes : []);
  return {
    holdBack(group, all) {
      const free: W[] = [];
      for (const member of group.members) {
        const scopes = scopesOf(member);
        if (
          (group.kind === "add" || group.kind === "insert") &&
          !all &&
          !holdsAll &&
          !scopes.some((scope) => heldScopes.has(scope))
        ) {
          free.push(member);
          continue;
        }
        held.push(member);
        rows += rowsOf(member.write);
        for (const scope of scopes) heldScopes.add(scope);
      }
      holdsAll ||= group.kind === "alone";
      return free.length === 0 ? null : { ...group, members: free, scopes: new Set(free.flatMap(scopesOf)) };
    },
    takeAll() {
      const taken = held;
      held = [];
      rows = 0;
      holdsAll = false;
      heldScopes.clear();
      return taken;
    },
    size: () => ({ writes: held.length, rows }),
  };
};

/** Orders the writes of one table. Writes that wait while a commit runs share the next one. */
interface WriteQueue {
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
