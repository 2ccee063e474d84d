interface Row {
  id: string;
}

interface MergedRows<T extends Row> {
  rows: readonly T[];
  /** Rows that were loaded and are not shown, since that would move what is. */
  newer: number;
}

/**
 * What a list shows after it was loaded again. Nothing moves under a reader's hand: while the list is held, every row
 * stays where it is with its new content, and rows that came are counted only.
 */
export const mergeRows = <T extends Row>(shown: readonly T[], loaded: readonly T[], isHeld: boolean): MergedRows<T> => {
  if (!isHeld || shown.length === 0) return { rows: loaded, newer: 0 };
  const byId = new Map(loaded.map((row) => [row.id, row]));
  const known = new Set(shown.map(({ id }) => id));
  return {
    rows: shown.map((row) => byId.get(row.id) ?? row),
    newer: loaded.filter(({ id }) => !known.has(id)).length,
  };
};
