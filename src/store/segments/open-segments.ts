import type { Logger } from "../../log/log.ts";
import { allOf, equals } from "../engine/filters.ts";
import type { MaintainedTables } from "../engine/maintained-tables.ts";
import type { TableOpener } from "../engine/tables.ts";
import { baseOf, inOrder, type SegmentCatalog } from "./catalog.ts";
import { createMerging, type MergingOptions, type SegmentRows } from "./merging.ts";
import { openSegments, type Segment, type Segments } from "./segments.ts";

/**
 * With so many rows a table is full, and another follows it: upkeep writes the newest anew again and again, for 0.6 s of CPU
 * at this size and not for five. Full ones are merged, up to the larger size: some 20 s for one to be written anew, when a
 * removed row has to leave the disk (docs/decisions/segments.md). A question takes 3 ms of CPU more for each that there is.
 */
export const segmentRows: SegmentRows = { full: 32_000, merged: 250_000 };

interface SegmentedTablesOptions {
  catalog: SegmentCatalog;
  tables: Pick<MaintainedTables, "drop">;
  opener: Pick<TableOpener, "names" | "drop" | "withNewest">;
  rows: SegmentRows;
  log: Logger;
}

/** The tables of all indexes and vector sets. */
export interface SegmentedTables {
  /**
   * Opens those of one; makes the first where it is missing.
   * @param base its name
   * @param open opens one of them; makes it where it is missing
   */
  open<T, S extends Segment<T>>(base: string, open: (name: string) => Promise<S>): Promise<Segments<T, S>>;
  /** Whether a table of one is there. The first may not be: it was merged. */
  has(base: string): boolean;
  /**
   * Removes the tables that no catalog names.
   * @param prefix of all indexes
   * @param kept names of those that there are
   * @param setAside in place of their removal
   */
  removeStrays(prefix: string, kept: readonly string[], setAside?: (table: string) => Promise<void>): Promise<void>;
  /** Whether a table was missing that the catalog names: what was in it is to be made again. */
  hasLost(): boolean;
  /** From now on full tables are merged, until `stopMerging`. */
  startMerging(options: MergingOptions): void;
  stopMerging(): Promise<void>;
}

export const createSegmentedTables = async (options: SegmentedTablesOptions): Promise<SegmentedTables> => {
  const { catalog, tables, opener, rows, log } = options;
  const present = await opener.names();
  let hasLost = false;
  const merging = createMerging(rows, log);

  /** Whether a later table has the rows of this one: it was merged, and a crash came before it was removed. */
  const isIn = async (later: readonly string[], name: string): Promise<boolean> => {
    const [row] = await opener.withNewest(name, (table) =>
      table.query().select(["revision", "position"]).limit(1).toArray(),
    );
    if (row === undefined) return false;
    const where = allOf(equals("revision", String(row.revision)), `position = ${Number(row.position)}`);
    for (const one of later) if ((await opener.withNewest(one, (table) => table.countRows(where))) > 0) return true;
    return false;
  };

  /** Where the catalog may have lost rows, those on the disk are named again: an empty one among them does no harm. */
  const nameFound = async (base: string): Promise<void> => {
    const named = catalog.tablesOf(base);
    const found = inOrder(present.filter((name) => baseOf(name) === base));
    const merged = new Set<string>();
    for (const [at, name] of found.entries()) if (await isIn(found.slice(at + 1), name)) merged.add(name);
    const all = inOrder([...new Set([...named, ...found])].filter((name) => !merged.has(name)));
    if (all.length > named.length || all.some((name) => !named.includes(name))) await catalog.set(base, all);
  };

  return {
    async open<T, S extends Segment<T>>(base: string, open: (name: string) => Promise<S>) {
      if (catalog.isIncomplete) await nameFound(base);
      const named = catalog.tablesOf(base);
      for (const table of named) {
        if (named.length === 1 || present.includes(table)) continue;
        hasLost = true;
        log.warn({ table }, "a table of an index is missing: what was in it is made again");
      }
      const segments: Segments<T, S> = await openSegments<T, S>({
        catalog,
        base,
        maxRows: rows.full,
        open,
        drop: tables.drop,
        onAdd: (isNew) => merging.noteAdded(segments, isNew),
        log,
      });
      merging.watch(segments);
      return segments;
    },
    has(base) {
      const named = catalog.tablesOf(base);
      return present.some((name) => named.includes(name) || (catalog.isIncomplete && baseOf(name) === base));
    },
    async removeStrays(prefix, kept, setAside = opener.drop) {
      const named = new Set(kept.flatMap(catalog.tablesOf));
      for (const name of await opener.names()) if (name.startsWith(prefix) && !named.has(name)) await setAside(name);
      await catalog.forget(catalog.bases().filter((base) => base.startsWith(prefix) && !kept.includes(base)));
    },
    hasLost: () => hasLost,
    startMerging: merging.start,
    stopMerging: merging.stop,
  };
};
