/**
 * Which revisions a reader may see. The rows of a new revision are written before its document names it, and those of
 * the old one are deleted after; in between both are in the table. A view takes a snapshot when it opens and sees
 * exactly one of them until it closes:
 * - what is hidden at that moment (not yet committed, or already replaced) is left out of its filters;
 * - what is born later is left out too, as far as known in the filter, else when hits come back;
 * - rows of a replaced revision are deleted only when every view opened before the replacement is closed.
 */
export interface RevisionRegister {
  /** Rows of this revision are about to be written; nobody sees them. */
  born(revision: string): void;
  /** The document names the revision: views opened from now on see it, and no longer the old one. */
  committed(revision: string, replaced: string | null): void;
  /** Nobody who comes from now on sees this revision. */
  hide(revision: string): void;
  /** The rows are gone. */
  forget(revision: string): void;
  /** Resolves when the views that are open now are closed, or have been open for too long. */
  viewsClosed(): Promise<void>;
  open(): RevisionSnapshot;
  /** Lets go of waiting deletions: the store closes. */
  release(): void;
  /** Revisions whose rows are still to be deleted or whose writing has not ended. */
  hiddenCount(): number;
}

export interface RevisionSnapshot {
  /** What to leave out in a filter, as known now. */
  excluded(): string[];
  sees(revision: string): boolean;
  close(): void;
}

/** A view that somebody forgot to close does not hold back deletions for ever. */
const longestViewMs = 600_000;

export const createRevisionRegister = (): RevisionRegister => {
  const hidden = new Set<string>();
  /** Revision -> the moment of its birth, while a view from before is open. */
  const births = new Map<string, number>();
  const views = new Map<number, PromiseWithResolvers<void>>();
  let moment = 0;

  const dropOldBirths = (): void => {
    const oldest = Math.min(...views.keys());
    for (const [revision, birth] of births) if (birth < oldest) births.delete(revision);
  };

  const closeView = (opened: number): void => {
    views.get(opened)?.resolve();
    views.delete(opened);
    dropOldBirths();
  };

  return {
    born(revision) {
      moment += 1;
      hidden.add(revision);
      if (views.size > 0) births.set(revision, moment);
    },
    committed(revision, replaced) {
      hidden.delete(revision);
      if (replaced !== null) hidden.add(replaced);
    },
    hide: (revision) => void hidden.add(revision),
    forget(revision) {
      hidden.delete(revision);
    },
    async viewsClosed() {
      if (views.size === 0) return;
      const closed = Promise.all([...views.values()].map((view) => view.promise));
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, longestViewMs);
      timer.unref();
      await Promise.race([closed, limit.promise]);
      clearTimeout(timer);
    },
    open() {
      moment += 1;
      const opened = moment;
      const hiddenThen = new Set(hidden);
      views.set(opened, Promise.withResolvers<void>());
      const sees = (revision: string): boolean =>
        !hiddenThen.has(revision) && (births.get(revision) ?? opened) <= opened;
      return {
        sees,
        excluded: () => [...new Set([...hiddenThen, ...births.keys()])].filter((revision) => !sees(revision)),
        close: () => closeView(opened),
      };
    },
    release() {
      for (const opened of [...views.keys()]) closeView(opened);
    },
    hiddenCount: () => hidden.size,
  };
};
