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
