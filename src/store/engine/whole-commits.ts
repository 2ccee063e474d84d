import type { LanceTable } from "./lance.ts";

/** Files that name removed rows, and that a commit to a table left cut off: see `brokenDeletionFiles`. */
export type BrokenDeletions = (table: string, readVersion: number) => Promise<string[]>;

/** Commits of one table that write deletion files: one that the disk cut off is taken back. They run one at a time. */
export interface WholeCommits {
  /**
   * @param work makes one commit; called when everything is settled
   * @throws Error of a full disk where the commit was not whole: the table reads as before it
   */
  run(work: () => Promise<void>): Promise<void>;
  /** Takes back what could not be taken back yet: nothing may be written before. @throws Error of a full disk */
  settle(): Promise<void>;
  /** The table's handle sees what other handles committed. */
  catchUp(): Promise<void>;
}

export const createWholeCommits = (name: string, lance: LanceTable, brokenDeletions: BrokenDeletions): WholeCommits => {
  /** The handle reads an older version, which is to be the newest again: reads go on, and LanceDB refuses writes. */
  let isTakenBack = false;

  const settle = async (): Promise<void> => {
    if (!isTakenBack) return;
    await lance.restore(); // fails while there is no room for it
    isTakenBack = false;
  };

  return {
    async run(work) {
      const before = await lance.version();
      await work();
      const broken = await brokenDeletions(name, before);
      if (broken.length === 0) return;
      isTakenBack = true;
      await lance.checkout(before);
      await settle().catch(() => undefined); // before the next commit
      throw new Error(`No space left on device: the table ${name} got ${broken.join(", ")} cut off`);
    },
    settle,
    async catchUp() {
      if (!isTakenBack) await lance.checkoutLatest();
    },
  };
};
