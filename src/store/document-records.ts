import { allOf, equals, visibleTo } from "./filters.ts";
import type { DocumentRecord, Tenant } from "./records.ts";
import type { StoreTable } from "./store-table.ts";

/**
 * One document at a time. This process alone writes the table, so the ids that exist and the records written last are
 * known without asking it: a lookup during ingest would otherwise cost as much as the write.
 */
export interface DocumentRecords {
  find(tenant: Tenant, id: string): Promise<DocumentRecord | null>;
  /** Adds or replaces. Writes of one document must not run at once. */
  write(document: DocumentRecord): Promise<void>;
  remove(id: string): Promise<void>;
}

const maxRecent = 2_000;
/** Records with more metadata than this are not remembered. */
const maxMetadataLength = 4_096;

const isVisible = (tenant: Tenant, document: DocumentRecord): boolean =>
  document.organizationId === tenant.organizationId &&
  (tenant.partitionId === null || document.partitionId === tenant.partitionId);

export const createDocumentRecords = async (table: StoreTable<DocumentRecord>): Promise<DocumentRecords> => {
  const ids = new Set(await table.scan(["id"], {}, (row) => row.string("id")));
  const recent = new Map<string, DocumentRecord>();

  const remember = (document: DocumentRecord): void => {
    recent.delete(document.id);
    if (JSON.stringify(document.metadata).length > maxMetadataLength) return;
    recent.set(document.id, structuredClone(document));
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
      if (known !== undefined) return isVisible(tenant, known) ? structuredClone(known) : null;
      return (await table.find({ where: allOf(visibleTo(tenant), equals("id", id)), limit: 1 }))[0] ?? null;
    },
    async write(document) {
      if (ids.has(document.id)) await table.upsert(document.id, [document]);
      else await table.add(document.id, [document]); // cheaper: nothing is to be looked for
      ids.add(document.id);
      remember(document);
    },
    async remove(id) {
      recent.delete(id);
      await table.remove(id, "id", [id]);
      recent.delete(id);
      ids.delete(id);
    },
  };
};
