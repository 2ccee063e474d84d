/**
 * Which revisions a reader may see. The rows of a new revision are written before its document names it, and those of
 * the old one are deleted after; in between both are in the table. A view takes a snapshot when it opens and sees
 * exactly one of them until it closes:
 * - revisions that are hidden at that moment (not committed yet, or already replaced) are excluded by its filters;
 * - revisions that begin later are excluded too: by the filter if they are known by then, else from the hits;
 * - rows of a replaced revision are deleted only when every view opened before the replacement is closed.
 */
export interface RevisionRegister {
  /** Rows of this revision are about to be written; no view sees them. */
  begin(revision: string): void;
  /** The document names the revision: views opened from now on see it, and no longer the old one. */
  commit(revision: string, replaced: string | null): void;
  /** Views opened from now on do not see this revision. */
  hide(revision: string): void;
  /** The rows are deleted. */
  forget(revision: string): void;
  /** Resolves when the views that are open now are closed, or have been open for too long. */
  viewsClosed(): Promise<void>;
  open(): RevisionSnapshot;
  /** Stops waiting for views: the store closes. */
  release(): void;
  /** Revisions whose rows are still to be deleted or are being written. */
  hiddenCount(): number;
  /** @returns ends the watch: the revisions that were hidden at any moment of it */
  watch(): () => string[];
}

export interface RevisionSnapshot {
  /** Revisions to exclude in a filter, as known now. */
  excluded(): string[];
  sees(revision: string): boolean;
  close(): void;
}

/** Deletions wait no longer than this for a view that was never closed. */
const maxViewMs = 600_000;

export const createRevisionRegister = (): RevisionRegister => {
  const hidden = new Set<string>();
  /** Revision -> the moment at which it began, while a view opened before that is open. */
  const begunAt = new Map<string, number>();
  const views = new Map<number, PromiseWithResolvers<void>>();
  const watches = new Set<Set<string>>();
  let moment = 0;

  const dropOldMoments = (): void => {
    const oldest = Math.min(...views.keys());
    for (const [revision, begun] of begunAt) if (begun < oldest) begunAt.delete(revision);
  };

  const closeView = (opened: number): void => {
    views.get(opened)?.resolve();
    views.delete(opened);
    dropOldMoments();
  };

  const hide = (revision: string): void => {
    hidden.add(revision);
    for (const seen of watches) seen.add(revision);
  };

  return {
    begin(revision) {
      moment += 1;
      hide(revision);
      if (views.size > 0) begunAt.set(revision, moment);
    },
    commit(revision, replaced) {
      hidden.delete(revision);
      if (replaced !== null) hide(replaced);
    },
    hide,
    forget(revision) {
      hidden.delete(revision);
    },
    async viewsClosed() {
      if (views.size === 0) return;
      const closed = Promise.all([...views.values()].map((view) => view.promise));
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, maxViewMs);
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
        !hiddenThen.has(revision) && (begunAt.get(revision) ?? opened) <= opened;
      return {
        sees,
        excluded: () => [...new Set([...hiddenThen, ...begunAt.keys()])].filter((revision) => !sees(revision)),
        close: () => closeView(opened),
      };
    },
    release() {
      for (const opened of [...views.keys()]) closeView(opened);
    },
    hiddenCount: () => hidden.size,
    watch() {
      const seen = new Set(hidden);
      watches.add(seen);
      return () => {
        watches.delete(seen);
        return [...seen];
      };
    },
  };
};
