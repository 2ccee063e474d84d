import { createGate, type Gate } from "../../async/keyed-mutex.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Logger } from "../../log/log.ts";
import type { FreeSpaceGuard } from "../disk/free-space.ts";
import type { Lance, LanceTable } from "./lance.ts";
import { createMaintenance, eraseRemovedRows, type Maintenance, type TableUpkeep } from "./maintenance.ts";
import type { MetaEntry } from "./meta-rows.ts";
import type { StoreTable } from "./store-table.ts";
import type { TableHooks } from "./table-commits.ts";
import type { TableDefinition } from "./table-definition.ts";
import type { TableOpener } from "./tables.ts";
import { maxUntidied, type UpkeepLimits } from "./upkeep-due.ts";
import type { UpkeepWork } from "./upkeep-work.ts";

/** The open tables of a store, each kept small and fast while it is open. */
export interface MaintainedTables {
  /**
   * @param limits how much may be written before it is tidied; default: as a table that is not searched
   * @param upkeep what else is done with each run of maintenance
   */
  open<T>(definition: TableDefinition<T>, limits?: UpkeepLimits, upkeep?: TableUpkeep): Promise<StoreTable<T>>;
  /** Those that are open. */
  list(): readonly StoreTable<unknown>[];
  /** Removes a table once its writes are done. */
  drop(name: string): Promise<void>;
  /** No upkeep begins after this call; the failure of what is under way is no news. */
  stopUpkeep(): void;
  /** Waits for queued writes. */
  close(): Promise<void>;
}

/** The open database. */
export interface Engine {
  lance: Lance;
  opener: TableOpener;
  tables: MaintainedTables;
  space: FreeSpaceGuard;
  /** The table of the store's own notes: writes to other tables may wait for it, never the reverse. */
  meta: StoreTable<MetaEntry>;
  /** Whatever removes files of tables runs in it. */
  upkeepGate: Gate;
  /** Makes the indexes of a table again, because one of them is damaged. */
  mend(table: string): Promise<void>;
}

/** Erases removed rows from the disk, in time. */
export interface RemovedRows {
  /** Rows of this table are about to be removed. */
  note(table: string): Promise<void>;
  /** The table is open: `erase` erases its removed rows (see `eraseRemovedRows`). */
  attach(table: string, erase: (onBegin: () => void, signal: AbortSignal) => Promise<boolean>): void;
  /** The table is removed. */
  detach(table: string): Promise<void>;
}

interface MaintainedTablesOptions {
  opener: TableOpener;
  hooks: Omit<TableHooks, "afterCommit" | "beforeRemoval">;
  log: Logger;
  /** Whatever removes files of tables runs in it: it is closed while a backup keeps them. */
  upkeepGate: Pick<Gate, "shared">;
  /** Null: removed rows of these tables may stay on the disk for a while. */
  erasures: RemovedRows | null;
  work: UpkeepWork;
}

export const createMaintainedTables = (options: MaintainedTablesOptions): MaintainedTables => {
  const { opener, hooks, log, upkeepGate, erasures, work } = options;
  const { exclusive: turn } = createGate();
  const open = new Map<string, { maintenance: Maintenance; table: StoreTable<unknown> }>();
  const stopUpkeep = (): void => {
    for (const { maintenance } of open.values()) maintenance.stop();
  };
  return {
    async open<T>(definition: TableDefinition<T>, limits: UpkeepLimits = maxUntidied.other, upkeep: TableUpkeep = {}) {
      const opened: { table?: StoreTable<T> } = {};
      const maintenance = createMaintenance(
        () => {
          if (opened.table === undefined) throw new Error("the table is not open yet");
          return opened.table;
        },
        { log, work, opener, turn, upkeepGate, limits, upkeep },
      );
      const { name } = definition;
      const table = await opener.open(definition, {
        ...hooks,
        afterCommit: maintenance.noteCommit,
        beforeRemoval: async () => erasures?.note(name),
      });
      opened.table = table;
      erasures?.attach(name, (onBegin, signal) =>
        upkeepGate.shared(() =>
          eraseRemovedRows(table, {
            work,
            reserve: hooks.reserve,
            onBegin() {
              upkeep.invalidate?.();
              onBegin();
            },
            signal,
          }),
        ),
      );
      maintenance.start();
      open.set(definition.name, { maintenance, table: table as StoreTable<unknown> });
      return table;
    },
    list: () => [...open.values()].map(({ table }) => table),
    async drop(name) {
      const dropped = open.get(name);
      open.delete(name);
      await erasures?.detach(name);
      dropped?.maintenance.stop();
      await dropped?.table.settle();
      await upkeepGate.shared(() => opener.drop(name));
    },
    stopUpkeep,
    async close() {
      stopUpkeep();
      for (const { table } of open.values()) await table.settle();
      for (const { table } of open.values()) table.close();
    },
  };
};

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
