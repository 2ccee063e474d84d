import type { DocumentRecord } from "../../domain/records.ts";
import type { Page, Paging } from "../contract/records.ts";
import type { StoreTable } from "../engine/store-table.ts";

/** What is in memory of every document. */
export type KnownDocument = Pick<DocumentRecord, "id" | "organizationId" | "createdAt">;

/** All documents, in each organization by creation and then by id: some 150 bytes each. */
interface KnownDocuments {
  readonly size: number;
  /** Null: there is none with this id. */
  organizationOf(id: string): string | null;
  /** Adds a document, or replaces what was known of it. */
  note(document: KnownDocument): void;
  remove(id: string): void;
  /**
   * Ids of one page of all documents of an organization. From the table a page took 34 ms of CPU at 57,000 documents: it has
   * no order, and the number of documents is a scan too (`bun run bench lists`).
   */
  page(organizationId: string, paging: Paging): Page<string>;
}

const compare = (one: KnownDocument, other: KnownDocument): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

/** The number of documents in `sorted` that come before this one. */
const placeOf = (sorted: readonly KnownDocument[], document: KnownDocument): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = sorted[middle];
    if (there !== undefined && compare(there, document) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** @param documents those that the table has, in any order */
export const createKnownDocuments = (documents: readonly KnownDocument[]): KnownDocuments => {
  const byId = new Map<string, KnownDocument>();
  const byOrganization = new Map<string, KnownDocument[]>();
  const listOf = (organizationId: string): KnownDocument[] => {
    const known = byOrganization.get(organizationId);
    if (known !== undefined) return known;
    const made: KnownDocument[] = [];
    byOrganization.set(organizationId, made);
    return made;
  };
  const remember = ({ id, organizationId, createdAt }: KnownDocument): KnownDocument => {
    // Thousands of equal names are kept once.
    const name = listOf(organizationId)[0]?.organizationId ?? organizationId;
    const kept = { id, organizationId: name, createdAt };
    byId.set(id, kept);
    return kept;
  };
  for (const document of documents) {
    const kept = remember(document);
    listOf(kept.organizationId).push(kept);
  }
  for (const list of byOrganization.values()) list.sort(compare);

  const remove = (id: string): void => {
    const known = byId.get(id);
    if (known === undefined) return;
    const list = listOf(known.organizationId);
    list.splice(placeOf(list, known), 1);
    byId.delete(id);
    if (list.length === 0) byOrganization.delete(known.organizationId);
  };

  return {
    get size() {
      return byId.size;
    },
    organizationOf: (id) => byId.get(id)?.organizationId ?? null,
    note(document) {
      const known = byId.get(document.id);
      if (known !== undefined && known.organizationId === document.organizationId && compare(known, document) === 0)
        return;
      remove(document.id);
      const kept = remember(document);
      const list = listOf(kept.organizationId);
      list.splice(placeOf(list, kept), 0, kept);
    },
    remove,
    page(organizationId, { limit, skip, sortOrder }) {
      const list = byOrganization.get(organizationId) ?? [];
      const end = list.length - skip;
      const wanted =
        sortOrder === "asc"
          ? list.slice(skip, skip + limit)
          : list.slice(Math.max(0, end - limit), Math.max(0, end)).reverse();
      return { items: wanted.map(({ id }) => id), total: list.length };
    },
  };
};

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
