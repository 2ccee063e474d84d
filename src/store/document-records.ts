import { allOf, equals, visibleTo } from "./filters.ts";
import type { DocumentRecord, Tenant } from "./records.ts";
import type { StoreTable } from "./store-table.ts";

/**
 * One document at a time. This process alone writes the table, so the ids that exist and the records written last are
 * known without asking it: a lookup during ingest would otherwise cost as much as the write.
 */
export interface DocumentRecords {
  find(tenant: Tenant, id: string): Promise<DocumentRecord | null>;
  /** Whether there is such a document, whoever's it is. */
  has(id: string): boolean;
  /** Adds or replaces, each document once. Writes of one document must not run at once. */
  write(documents: readonly DocumentRecord[]): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Enough for the documents that wait to be processed: each is looked up twice on its way. */
const maxRecent = 12_000;
/** Records with more metadata than this are not remembered. */
const maxMetadataLength = 1_024;

/** Nobody who changes a record he was given changes what is remembered. */
const copyOf = (document: DocumentRecord): DocumentRecord => ({
  ...document,
  metadata: document.metadata === null ? null : structuredClone(document.metadata),
  warnings: [...document.warnings],
  progress: { ...document.progress },
});

const idOf = ({ id }: DocumentRecord): string => id;

const isVisible = (tenant: Tenant, document: DocumentRecord): boolean =>
  document.organizationId === tenant.organizationId &&
  (tenant.partitionId === null || document.partitionId === tenant.partitionId);

export const createDocumentRecords = async (table: StoreTable<DocumentRecord>): Promise<DocumentRecords> => {
  const ids = new Set(await table.scan(["id"], {}, (row) => row.string("id")));
  const recent = new Map<string, DocumentRecord>();

  const remember = (document: DocumentRecord): void => {
    recent.delete(document.id);
    if (JSON.stringify(document.metadata).length > maxMetadataLength) return;
    recent.set(document.id, copyOf(document));
    if (recent.size <= maxRecent) return;
    for (const oldest of recent.keys()) {
      recent.delete(oldest);
      break;
    }
  };

  return {
    async find(tenant, id) {
      if (!ids.has(id)) return null;
      const known = recent.get(id);
      if (known !== undefined) return isVisible(tenant, known) ? copyOf(known) : null;
      return (await table.find({ where: allOf(visibleTo(tenant), equals("id", id)), limit: 1 }))[0] ?? null;
    },
    has: (id) => ids.has(id),
    async write(documents) {
      const known = documents.filter(({ id }) => ids.has(id));
      const added = documents.filter(({ id }) => !ids.has(id)); // cheaper: nothing is to be looked for
      await Promise.all([table.upsert(known.map(idOf), known), table.add(added.map(idOf), added)]);
      for (const document of documents) {
        ids.add(document.id);
        remember(document);
      }
    },
    async remove(id) {
      recent.delete(id);
      await table.remove(id, "id", [id]);
      recent.delete(id);
      ids.delete(id);
    },
  };
};
