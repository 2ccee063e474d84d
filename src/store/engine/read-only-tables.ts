import { ApiError } from "../../domain/errors.ts";
import type { LanceTable } from "./lance.ts";
import type { MaintainedTables } from "./maintained-tables.ts";
import type { StoreTable } from "./store-table.ts";
import type { TableHooks } from "./table-commits.ts";
import type { TableDefinition } from "./table-definition.ts";
import type { TableOpener } from "./tables.ts";

/** Tables that another process writes. */
export interface ReadOnlyTables extends MaintainedTables {
  /** Until this call writes are left out: what an opening store would tidy up is the work of the process that writes. */
  noteOpened(): void;
}

/** Longer than what reads in the background. */
const closeAfterMs = 60_000;

/** A handle in use is closed when nothing refers to it any more. */
const closeIfIdle = (table: LanceTable): void => {
  try {
    table.close();
  } catch {
    // LanceDB frees it with the object.
  }
};

const refusal = (): ApiError =>
  new ApiError("storage_unavailable", "this process reads the shared store, and another one writes it: try again", {
    headers: { "Retry-After": "1" },
  });

/** Opens tables to be read: no upkeep, no indexes made, no row written. */
export const createReadOnlyTables = (
  opener: TableOpener,
  hooks: Omit<TableHooks, "afterCommit" | "beforeRemoval">,
): ReadOnlyTables => {
  const open = new Map<string, StoreTable<unknown>>();
  let isOpened = false;
  const leaveOut = async (): Promise<void> => {
    if (isOpened) throw refusal();
  };
  return {
    async open<T>(definition: TableDefinition<T>) {
      const table = await opener.open(definition, {
        ...hooks,
        afterCommit: () => undefined,
        beforeRemoval: async () => undefined,
      });
      const read: StoreTable<T> = {
        ...table,
        add: leaveOut,
        async insert() {
          throw refusal();
        },
        upsert: leaveOut,
        supersede: leaveOut,
        change: leaveOut,
        remove: leaveOut,
        removeWhere: leaveOut,
        async beside() {
          throw refusal();
        },
        async alone() {
          throw refusal();
        },
      };
      open.set(definition.name, read as StoreTable<unknown>);
      return read;
    },
    list: () => [...open.values()],
    drop: leaveOut,
    stopUpkeep: () => undefined,
    async close() {
      // What was begun in the background, such as counting terms, still reads: LanceDB refuses to close under it.
      const handles = [...open.values()];
      setTimeout(() => {
        for (const { lance } of handles) closeIfIdle(lance);
      }, closeAfterMs).unref();
    },
    noteOpened() {
      isOpened = true;
    },
  };
};
