import { LRUCache } from "lru-cache";
import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import { IdTakenError } from "../contract/documents.ts";
import type { Page, Paging } from "../contract/records.ts";
import type { DamageRegister } from "../engine/damage.ts";
import { allOf, isOneOf, isVisibleTo, visibleTo } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { columnsOf } from "../engine/table-definition.ts";
import {
  createIdsByValue,
  createKnownDocuments,
  type IdsByValue,
  type KnownDocument,
  type LookedUp,
} from "./known-documents.ts";

/** Records that were read or written lately, in memory. */
interface RecentRecords {
  has(id: string): boolean;
  /** The kept record itself: whoever passes it on makes a copy (`copyOf`). */
  get(id: string): DocumentRecord | undefined;
  /** Keeps a copy, in place of the one before. */
  keep(document: DocumentRecord): void;
  forget(id: string): void;
}

/** Enough for the documents that wait to be processed: each is looked up twice. */
const maxRecent = 12_000;
/** Records whose long fields (metadata, address, warnings, error) exceed this together are not cached. */
const maxFieldsCharacters = 2_048;

const fieldsLength = ({ metadata, originalUrl, warnings, error }: DocumentRecord): number =>
  JSON.stringify([metadata, originalUrl, warnings, error]).length;

/** For a caller, who may change it without changing the kept one. */
const copyOf = (document: DocumentRecord): DocumentRecord => ({
  ...document,
  metadata: document.metadata === null ? null : structuredClone(document.metadata),
  warnings: [...document.warnings],
  progress: { ...document.progress },
});

const createRecentRecords = (): RecentRecords => {
  const records = new LRUCache<string, DocumentRecord>({ max: maxRecent });
  return {
    has: (id) => records.has(id),
    get: (id) => records.get(id),
    keep(document) {
      records.delete(document.id);
      if (fieldsLength(document) <= maxFieldsCharacters) records.set(document.id, copyOf(document));
    },
    forget: (id) => void records.delete(id),
  };
};

/**
 * Documents by id. Only this process writes the table, so the existing ids and the most recent records are cached: a
 * lookup would cost an ingest as much as the write, and a question a fifth more.
 */
export interface DocumentRecords {
  /** @throws ApiError data_damaged */
  find(tenant: Tenant, id: string): Promise<DocumentRecord | null>;
  /** In the order of the ids; those that do not exist for the tenant are left out, and damaged ones, which are noted. */
  findMany(tenant: Tenant, ids: readonly string[]): Promise<DocumentRecord[]>;
  /** Those that have the value, the newest first; null where they are many, and the table is to be asked. */
  findBy(tenant: Tenant, column: LookedUp, value: string): Promise<DocumentRecord[] | null>;
  /**
   * Adds or replaces documents. Writes of the same document must not run concurrently. They take several commits, of which
   * some may fail and some wait for seconds: replaced ones do while the table is tidied, new ones do not.
   * @returns for each document, in their order, when it is written; rejects where it is not
   */
  write(documents: readonly DocumentRecord[]): Promise<void>[];
  remove(id: string): Promise<void>;
  /**
   * Takes the ids of documents that are about to be added, before anything of them is written.
   * @returns gives them back: call it when they are added, or are not
   * @throws IdTakenError where one is held or taken, in any organization; then none is taken
   */
  take(documents: readonly Pick<DocumentRecord, "id" | "organizationId">[]): () => void;
  /** Whether there is a document with this id, in any organization, or one is being added. */
  has(id: string): boolean;
  /** Whether this organization has a document with this id, or is adding one. */
  isOf(organizationId: string, id: string): boolean;
  /** One page of all documents of an organization, by creation and then by id; damaged ones are left out, and counted. */
  list(organizationId: string, paging: Paging): Promise<Page<DocumentRecord>>;
}

/** With at most this many documents, the first lookup that misses the cache also loads all of them: 50 µs of CPU each. */
const maxPreloaded = 10_000;

/**
 * Whether a searchable document loses name, address or metadata: the old values have to leave the disk. For a record
 * that is not cached, any may have changed.
 */
const losesContent = (before: DocumentRecord | undefined, after: DocumentRecord): boolean => {
  if (before === undefined) return after.revision !== null;
  if (before.revision === null) return false;
  const { name, originalUrl, metadata } = after;
  return before.name !== name || before.originalUrl !== originalUrl || !Bun.deepEquals(before.metadata, metadata);
};

/** The whole organization of a document. */
export const tenantOf = ({ organizationId }: DocumentRecord): Tenant => ({ organizationId, partitionId: null });

const idOf = ({ id }: DocumentRecord): string => id;

/** What `createDocumentRecords` needs of each document. */
export const readKnownDocuments = (table: StoreTable<DocumentRecord>): Promise<KnownDocument[]> =>
  table.scan(["id", "organizationId", "createdAt"], {}, (row) => ({
    id: row.string("id"),
    organizationId: row.string("organizationId"),
    createdAt: row.number("createdAt"),
  }));

/** @param known all documents of the table */
export const createDocumentRecords = (
  table: StoreTable<DocumentRecord>,
  damage: Pick<DamageRegister, "reject" | "noteWritten">,
  known: readonly KnownDocument[],
): DocumentRecords => {
  const all = createKnownDocuments(known);
  const has = (id: string): boolean => all.organizationOf(id) !== null;
  /** The same of documents that are being added. */
  const taken = new Map<string, string>();
  const recent = createRecentRecords();
  const byValue: Readonly<Record<LookedUp, IdsByValue>> = {
    externalId: createIdsByValue(table, "externalId", has),
    textHash: createIdsByValue(table, "textHash", has),
    blobHash: createIdsByValue(table, "blobHash", has),
  };
  /** Changes when a write begins and when it ends: a read that overlaps one may be out of date. */
  let moment = 0;

  let isPreloaded = false;
  /** Reads all documents into the cache. Ends if one is written meanwhile; the next miss tries again. */
  const preload = async (): Promise<void> => {
    if (isPreloaded || all.size > maxPreloaded) return;
    isPreloaded = true;
    const before = moment;
    await table
      .visit(columnsOf(table.definition), "true", (row) => {
        if (moment !== before) return false;
        if (!recent.has(row.string("id"))) recent.keep(table.definition.decode(row));
        return true;
      })
      .finally(() => {
        isPreloaded = moment === before;
      });
  };

  const findMany: DocumentRecords["findMany"] = async (tenant, wanted) => {
    const found = new Map<string, DocumentRecord>();
    const asked: string[] = [];
    for (const id of new Set(wanted)) {
      const cached = recent.get(id);
      if (cached !== undefined && isVisibleTo(tenant)(cached)) found.set(id, copyOf(cached));
      else if (cached === undefined && has(id)) asked.push(id);
    }
    if (asked.length > 0) {
      // The same error is thrown by the read below.
      void preload().catch(() => undefined);
      const before = moment;
      for (const document of await table.find({ where: allOf(visibleTo(tenant), isOneOf("id", asked)) })) {
        found.set(document.id, document);
        if (moment === before) recent.keep(document);
      }
    }
    return wanted.flatMap((id) => found.get(id) ?? []);
  };

  /** Keeps what is known of documents in step with a commit of them. @throws what the commit fails with */
  const settle = async (written: readonly DocumentRecord[], commit: Promise<void>): Promise<void> => {
    moment += 1;
    try {
      await commit;
      for (const document of written) {
        all.note(document);
        for (const lookup of Object.values(byValue)) lookup.note(document);
        recent.keep(document);
        damage.noteWritten(document);
      }
    } catch (error) {
      for (const { id } of written) recent.forget(id);
      throw error;
    } finally {
      moment += 1;
    }
  };

  return {
    findMany,
    async list(organizationId, paging) {
      const { items, total } = all.page(organizationId, paging);
      return { items: await findMany({ organizationId, partitionId: null }, items), total };
    },
    async findBy(tenant, column, value) {
      const candidates = await byValue[column].find(tenant.organizationId, value);
      if (candidates === null) return null;
      const found = (await findMany(tenant, candidates)).filter((document) => document[column] === value);
      return found.sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1));
    },
    async find(tenant, id) {
      const [found] = await findMany(tenant, [id]);
      if (found !== undefined) return found;
      await damage.reject(table.definition.name, tenant.organizationId, `The record of the document ${id} is damaged`);
      return null;
    },
    write(documents) {
      const replaced = documents.filter(({ id }) => has(id));
      const added = documents.filter(({ id }) => !has(id)); // cheaper than an upsert, which looks for the rows first
      const { superseded = [], kept = [] } = Object.groupBy(replaced, (document) =>
        losesContent(recent.get(document.id), document) ? "superseded" : "kept",
      );
      const commitOf = new Map<DocumentRecord, Promise<void>>();
      const commit = (written: readonly DocumentRecord[], how: "upsert" | "supersede" | "add"): void => {
        const committing = settle(written, table[how](written.map(idOf), written));
        for (const document of written) commitOf.set(document, committing);
      };
      commit(kept, "upsert");
      commit(superseded, "supersede");
      commit(added, "add");
      return documents.map((document) => commitOf.get(document) ?? Promise.resolve());
    },
    async remove(id) {
      moment += 1;
      recent.forget(id);
      await table.remove(id, "id", [id]).finally(() => {
        moment += 1;
      });
      recent.forget(id);
      all.remove(id);
    },
    take(documents) {
      const mine = new Map<string, string>();
      for (const { id, organizationId } of documents) {
        if (has(id) || taken.has(id) || mine.has(id)) throw new IdTakenError("document", id);
        mine.set(id, organizationId);
      }
      for (const [id, organizationId] of mine) taken.set(id, organizationId);
      return () => {
        for (const id of mine.keys()) taken.delete(id);
      };
    },
    has: (id) => has(id) || taken.has(id),
    isOf: (organizationId, id) => (all.organizationOf(id) ?? taken.get(id)) === organizationId,
  };
};
