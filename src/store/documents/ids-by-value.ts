import type { DocumentRecord } from "../../domain/records.ts";
import type { StoreTable } from "../engine/store-table.ts";

/** Columns by which writes look documents up. */
export type LookedUp = "externalId" | "textHash" | "blobHash";

/**
 * Ids of documents by a value that writes look up. In the table, rows that no index holds yet are searched file by file,
 * one for each commit since the last upkeep: of 600 documents that came with external ids, one after another, the last ones
 * took ten times the CPU of the first.
 */
export interface IdsByValue {
  /** A document was written. */
  note(document: DocumentRecord): void;
  /**
   * Reads the table once, at the first call.
   * @returns all documents that have the value, and maybe others: gone, changed, of another value with this hash; null where
   *   they are many, and the table is to be asked
   */
  find(organizationId: string, value: string): Promise<readonly string[] | null>;
}

/** Of one value; upserts keep it at one document in each partition. */
const maxIds = 32;

/** @param exists whether there is a document with this id */
export const createIdsByValue = (
  table: StoreTable<DocumentRecord>,
  column: LookedUp,
  exists: (id: string) => boolean,
): IdsByValue => {
  /** By hash. Null: more than `maxIds`. */
  const ids = new Map<number, string | readonly string[] | null>();
  let reading: Promise<unknown> | null = null;

  const put = (organizationId: string, value: string, id: string): void => {
    const key = hashOf(organizationId, value);
    const known = ids.get(key);
    if (known === null || known === id) return;
    const others = [known ?? []].flat().filter((other) => other !== id && exists(other));
    if (others.length === 0) ids.set(key, id);
    else ids.set(key, others.length < maxIds ? [...others, id] : null);
  };

  /** What is written meanwhile is noted as it is afterwards. */
  const read = async (): Promise<void> => {
    const where = `${column} IS NOT NULL`;
    await table.scan(["id", "organizationId", column], { where }, (row) =>
      put(row.string("organizationId"), row.string(column), row.string("id")),
    );
  };

  return {
    note(document) {
      const value = document[column];
      if (reading !== null && value !== null) put(document.organizationId, value, document.id);
    },
    async find(organizationId, value) {
      reading ??= read().catch((error: unknown) => {
        reading = null;
        throw error;
      });
      await reading;
      const known = ids.get(hashOf(organizationId, value));
      return known === null ? null : [known ?? []].flat();
    },
  };
};

/** 53 of 64 bits, so that it is a number. */
const hashOf = (organizationId: string, value: string): number =>
  Number(Bun.hash(JSON.stringify([organizationId, value])) & 0x1f_ffff_ffff_ffffn);
