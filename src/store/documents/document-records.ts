import { LRUCache } from "lru-cache";
import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import { allOf, isOneOf, visibleTo } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { columnsOf } from "../engine/table-definition.ts";

/**
 * Documents by their ids. This process alone writes the table, so the ids that exist and the records written or read
 * last are known without asking it: a lookup would cost an ingest as much as the write, and a question a fifth more.
 */
export interface DocumentRecords {
  find(tenant: Tenant, id: string): Promise<DocumentRecord | null>;
  /** In the order of the ids; those that are not there, or not the tenant's, are left out. */
  findMany(tenant: Tenant, ids: readonly string[]): Promise<DocumentRecord[]>;
  /** Adds or replaces, each document once. Writes of one document must not run at once. */
  write(documents: readonly DocumentRecord[]): Promise<void>;
  remove(id: string): Promise<void>;
  /** Whether there is a document with this id, of whichever organization. */
  has(id: string): boolean;
}

/** Enough for the documents that wait to be processed: each is looked up twice on its way. */
const maxRecent = 12_000;
/** Where there are no more documents than this, the first that is not known has all of them read beside it. */
const maxReadWhole = 2_000;
/** Records with longer fields than this together are not remembered: metadata, address and warnings can be long. */
const maxFieldsLength = 2_048;

const fieldsLength = ({ metadata, originalUrl, warnings, error }: DocumentRecord): number =>
  JSON.stringify([metadata, originalUrl, warnings, error]).length;

/** Nobody who changes a record he was given changes what is remembered. */
const copyOf = (document: DocumentRecord): DocumentRecord => ({
  ...document,
  metadata: document.metadata === null ? null : structuredClone(document.metadata),
  warnings: [...document.warnings],
  progress: { ...document.progress },
});

/**
 * Whether a document that was found loses what its caller gave: that has to leave the disk. A record that is not known
 * may have held any.
 */
const losesContent = (before: DocumentRecord | undefined, after: DocumentRecord): boolean => {
  if (before === undefined) return after.revision !== null;
  if (before.revision === null) return false;
  const { name, originalUrl, metadata } = after;
  return before.name !== name || before.originalUrl !== originalUrl || !Bun.deepEquals(before.metadata, metadata);
};

const idOf = ({ id }: DocumentRecord): string => id;

const isVisible = (tenant: Tenant, document: DocumentRecord): boolean =>
  document.organizationId === tenant.organizationId &&
  (tenant.partitionId === null || document.partitionId === tenant.partitionId);

export const createDocumentRecords = async (table: StoreTable<DocumentRecord>): Promise<DocumentRecords> => {
  const ids = new Set(await table.scan(["id"], {}, (row) => row.string("id")));
  const recent = new LRUCache<string, DocumentRecord>({ max: maxRecent });
  /** Changes where a write begins and where it ends: what was read while one ran may be out of date. */
  let moment = 0;

  const remember = (document: DocumentRecord): void => {
    recent.delete(document.id);
    if (fieldsLength(document) > maxFieldsLength) return;
    recent.set(document.id, copyOf(document));
  };

  let isReadWhole = false;
  /** Reads all documents; ends where one is written meanwhile, and is tried again with the next one not known. */
  const readWhole = async (): Promise<void> => {
    if (isReadWhole || ids.size > maxReadWhole) return;
    isReadWhole = true;
    const before = moment;
    await table
      .visit(columnsOf(table.definition), "true", (row) => {
        if (moment !== before) return false;
        if (!recent.has(row.string("id"))) remember(table.definition.decode(row));
        return true;
      })
      .finally(() => {
        isReadWhole = moment === before;
      });
  };

  const findMany: DocumentRecords["findMany"] = async (tenant, wanted) => {
    const found = new Map<string, DocumentRecord>();
    const asked: string[] = [];
    for (const id of new Set(wanted)) {
      const known = recent.get(id);
      if (known !== undefined && isVisible(tenant, known)) found.set(id, copyOf(known));
      else if (known === undefined && ids.has(id)) asked.push(id);
    }
    if (asked.length > 0) {
      // What fails here fails below too, where it is told.
      void readWhole().catch(() => undefined);
      const before = moment;
      for (const document of await table.find({ where: allOf(visibleTo(tenant), isOneOf("id", asked)) })) {
        found.set(document.id, document);
        if (moment === before) remember(document);
      }
    }
    return wanted.flatMap((id) => found.get(id) ?? []);
  };

  return {
    findMany,
    find: async (tenant, id) => (await findMany(tenant, [id]))[0] ?? null,
    async write(documents) {
      const known = documents.filter(({ id }) => ids.has(id));
      const added = documents.filter(({ id }) => !ids.has(id)); // cheaper: nothing is to be looked for
      const { superseded = [], kept = [] } = Object.groupBy(known, (document) =>
        losesContent(recent.get(document.id), document) ? "superseded" : "kept",
      );
      moment += 1;
      await Promise.all([
        table.upsert(kept.map(idOf), kept),
        table.supersede(superseded.map(idOf), superseded),
        table.add(added.map(idOf), added),
      ]).finally(() => {
        moment += 1;
      });
      for (const document of documents) {
        ids.add(document.id);
        remember(document);
      }
    },
    async remove(id) {
      moment += 1;
      recent.delete(id);
      await table.remove(id, "id", [id]).finally(() => {
        moment += 1;
      });
      recent.delete(id);
      ids.delete(id);
    },
    has: (id) => ids.has(id),
  };
};
