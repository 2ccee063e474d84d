import { createGate, type Gate } from "../../async/keyed-mutex.ts";
import type { Logger } from "../../log/log.ts";
import { eraseRemovedRows } from "../erasure/erase-table.ts";
import type { Erasures } from "../erasure/erasures.ts";
import type { UpkeepWork } from "../upkeep/upkeep-work.ts";
import { createMaintenance, type Maintenance, type TableUpkeep } from "./maintenance.ts";
import type { StoreTable } from "./store-table.ts";
import type { TableHooks } from "./table-commits.ts";
import type { TableDefinition } from "./table-definition.ts";
import type { TableOpener } from "./tables.ts";
import { type MaxUntidied, maxUntidied } from "./upkeep-due.ts";

/** The open tables of a store, each kept small and fast while it is open. */
export interface MaintainedTables {
  /**
   * @param limits how much may be written before it is tidied; default: as a table that is not searched
   * @param upkeep what else is done with each run of maintenance
   */
  open<T>(definition: TableDefinition<T>, limits?: MaxUntidied, upkeep?: TableUpkeep): Promise<StoreTable<T>>;
  /** Those that are open. */
  list(): readonly StoreTable<unknown>[];
  /** Removes a table once its writes are done. */
  drop(name: string): Promise<void>;
  /** Waits for queued writes. */
  close(): Promise<void>;
}

export interface MaintainedTablesOptions {
  opener: TableOpener;
  hooks: Omit<TableHooks, "afterCommit" | "beforeRemoval">;
  log: Logger;
  /** Whatever removes files of tables runs in it: it is closed while a backup keeps them. */
  upkeepGate: Pick<Gate, "shared">;
  /** Null: removed rows of these tables may stay on the disk for a while. */
  erasures: Erasures | null;
  work: UpkeepWork;
}

export const createMaintainedTables = (options: MaintainedTablesOptions): MaintainedTables => {
  const { opener, hooks, log, upkeepGate, erasures, work } = options;
  const { exclusive: turn } = createGate();
  const open = new Map<string, { maintenance: Maintenance; table: StoreTable<unknown> }>();
  return {
    async open<T>(definition: TableDefinition<T>, limits: MaxUntidied = maxUntidied.other, upkeep: TableUpkeep = {}) {
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
    async close() {
      for (const { maintenance } of open.values()) maintenance.stop();
      for (const { table } of open.values()) await table.settle();
      for (const { table } of open.values()) table.close();
    },
  };
};
