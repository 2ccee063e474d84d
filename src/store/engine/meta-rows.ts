import { text } from "./columns.ts";
import { defineTable } from "./table-definition.ts";

/**
 * A note of the store itself: the version of its schema, the tables with rows to erase, the tables of each index. The first
 * table that is opened, and the last that a backup stops, so that it names no other that the backup lacks.
 */
export interface MetaEntry {
  id: string;
  value: string;
}

/** The entry with the version of the schema. */
export const schemaKey = "schemaVersion";

export const metaRows = defineTable<MetaEntry>({
  name: "meta",
  key: "id",
  indexes: {},
  columns: { id: text, value: text },
});
