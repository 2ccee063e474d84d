import type { Logger } from "../../log/log.ts";
import type { MetaEntry } from "../engine/meta-rows.ts";
import type { StoreTable } from "../engine/store-table.ts";

const notePrefix = "erase:";

/** The entry that notes that a table has rows to erase. */
const erasureNote = (table: string): MetaEntry => ({ id: notePrefix + table, value: "" });

/** The tables that have removed rows, as noted in the store. */
interface ErasureNotes {
  readonly size: number;
  tables(): string[];
  has(table: string): boolean;
  /** Removals since the table was noted, 0 for one that an earlier run noted; undefined: it is not noted. */
  removals(table: string): number | undefined;
  /**
   * Counts a removal. Resolves when the table is noted in the store.
   * @throws what the store fails with: nothing may be removed, for after a crash nobody would know of the bytes
   */
  add(table: string): Promise<void>;
  remove(table: string): Promise<void>;
}

export const createErasureNotes = async (meta: StoreTable<MetaEntry>, log: Logger): Promise<ErasureNotes> => {
  const noted = new Map<string, number>();
  const writing = new Map<string, Promise<void>>();
  for (const { id } of await meta.find({})) {
    if (id.startsWith(notePrefix)) noted.set(id.slice(notePrefix.length), 0);
  }

  const write = async (table: string): Promise<void> => {
    const note = erasureNote(table);
    const put = (): Promise<void> => meta.upsert(note.id, [note]);
    try {
      await put().catch(put); // the first attempt may be the one that has the reserve of the disk given up
    } catch (error) {
      noted.delete(table);
      writing.delete(table);
      log.warn({ table, error: String(error) }, "a removal could not be noted for erasure: it is refused");
      throw error;
    }
  };

  return {
    get size() {
      return noted.size;
    },
    tables: () => [...noted.keys()],
    has: (table) => noted.has(table),
    removals: (table) => noted.get(table),
    async add(table) {
      const isNew = !noted.has(table);
      noted.set(table, (noted.get(table) ?? 0) + 1);
      if (isNew) writing.set(table, write(table));
      await writing.get(table);
    },
    async remove(table) {
      noted.delete(table);
      writing.delete(table);
      const { id } = erasureNote(table);
      await meta.remove(id, "id", [id]);
    },
  };
};
