/** What happens to a table while it is open: when it needs upkeep, and which of its old versions are still read. */
export interface TableActivity {
  /** A commit of so many rows was made; it began at this moment (epoch ms). */
  noteCommit(startedAt: number, rows: number): void;
  /** See `StoreTable.noteVersion`. */
  noteVersion(since: number): void;
  /** Runs a read: the versions that it may use are kept until it ends. */
  track<R>(read: () => Promise<R>): Promise<R>;
  /** What happened since the last call of `noteUpkeep`. */
  sinceUpkeep(): { readonly commits: number; readonly rows: number; readonly wasRead: boolean };
  noteUpkeep(): void;
  oldestReadVersion(): Date;
  /** See `StoreTable.mayHaveStrayFiles`. */
  mayHaveStrayFiles(): boolean;
  noteStrayFiles(): void;
  noteNoStrayFiles(): void;
}

export const createTableActivity = (): TableActivity => {
  let commits = 0;
  let rows = 0;
  let wasRead = false;
  /**
   * A moment before the current version was committed. A read that begins now needs the versions from this moment on.
   * 0: the version was committed before the table was opened, so no older one may be removed yet.
   */
  let versionSince = 0;
  const reads = new Map<symbol, number>();
  /** The last process may have been interrupted. */
  let mayHaveStrays = true;

  return {
    noteCommit(startedAt, committed) {
      versionSince = startedAt;
      commits += 1;
      rows += committed;
    },
    noteVersion(since) {
      versionSince = Math.max(versionSince, since);
    },
    async track(read) {
      const id = Symbol("read");
      wasRead = true;
      reads.set(id, versionSince);
      try {
        return await read();
      } finally {
        reads.delete(id);
      }
    },
    sinceUpkeep: () => ({ commits, rows, wasRead }),
    noteUpkeep() {
      commits = 0;
      rows = 0;
      wasRead = false;
    },
    oldestReadVersion: () => new Date(Math.min(versionSince, ...reads.values())),
    mayHaveStrayFiles: () => mayHaveStrays,
    noteStrayFiles() {
      mayHaveStrays = true;
    },
    noteNoStrayFiles() {
      mayHaveStrays = false;
    },
  };
};
