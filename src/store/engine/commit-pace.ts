/** How often rows are committed while upkeep works on their table. */
export interface CommitPace {
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
