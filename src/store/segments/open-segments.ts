import type { Logger } from "../../log/log.ts";
import type { MaintainedTables } from "../engine/maintained-tables.ts";
import type { TableOpener } from "../engine/tables.ts";
import { baseOf, inOrder, type SegmentCatalog } from "./catalog.ts";
import { openSegments, type Segment, type Segments } from "./segments.ts";

/**
 * Some 20 s for one to be written anew, when a removed row has to leave the disk (docs/decisions/segments.md). A question
 * takes 3 ms of CPU more for each that there is.
 */
export const maxSegmentRows = 250_000;

export interface SegmentedTablesOptions {
  catalog: SegmentCatalog;
  tables: Pick<MaintainedTables, "drop">;
  opener: Pick<TableOpener, "names" | "drop">;
  /** With so many rows a segment is full. */
  maxRows: number;
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
  /**
   * Removes the tables that no catalog names.
   * @param prefix of all indexes
   * @param kept names of those that there are
   * @param setAside in place of their removal
   */
  removeStrays(prefix: string, kept: readonly string[], setAside?: (table: string) => Promise<void>): Promise<void>;
  /** Whether a table was missing that the catalog names: what was in it is to be made again. */
  hasLost(): boolean;
}

export const createSegmentedTables = async (options: SegmentedTablesOptions): Promise<SegmentedTables> => {
  const { catalog, tables, opener, maxRows, log } = options;
  const present = await opener.names();
  let hasLost = false;

  /** Where the catalog may have lost rows, those on the disk are named again: an empty one among them does no harm. */
  const nameFound = async (base: string): Promise<void> => {
    const named = catalog.tablesOf(base);
    const found = present.filter((name) => baseOf(name) === base && !named.includes(name));
    if (found.length > 0) await catalog.set(base, inOrder([...named, ...found]));
  };

  return {
    async open(base, open) {
      if (catalog.isIncomplete) await nameFound(base);
      const named = catalog.tablesOf(base);
      for (const table of named) {
        if (named.length === 1 || present.includes(table)) continue;
        hasLost = true;
        log.warn({ table }, "a table of an index is missing: what was in it is made again");
      }
      return await openSegments({ catalog, base, maxRows, open, drop: tables.drop, log });
    },
    async removeStrays(prefix, kept, setAside = opener.drop) {
      const named = new Set(kept.flatMap(catalog.tablesOf));
      for (const name of await opener.names()) if (name.startsWith(prefix) && !named.has(name)) await setAside(name);
      await catalog.forget(catalog.bases().filter((base) => base.startsWith(prefix) && !kept.includes(base)));
    },
    hasLost: () => hasLost,
  };
};
