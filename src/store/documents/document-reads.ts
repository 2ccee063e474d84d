import { inParallel } from "../../async/in-parallel.ts";
import type { DocumentRecord, DocumentStatus, Tenant } from "../../domain/records.ts";
import type { DocumentStore } from "../contract/documents.ts";
import { allOf, contains, equals, isOneOf, visibleTo } from "../engine/filters.ts";
import { byCreation, listAfter } from "../engine/paging.ts";
import type { DocumentTables } from "./document-tables.ts";
import type { LookedUp } from "./ids-by-value.ts";
import { createTextReads } from "./text-reads.ts";
import { createUsageMeter } from "./usage.ts";

type Reads = Pick<
  DocumentStore,
  | "get"
  | "getMany"
  | "getByExternalId"
  | "takenExternalIds"
  | "getByTextHash"
  | "getByFile"
  | "list"
  | "listAfter"
  | "isTaken"
  | "getText"
  | "getTexts"
  | "visitTexts"
  | "getPendingText"
  | "listUnfinished"
  | "countByStatus"
  | "usage"
  | "listIdsInPartition"
>;

/** What a document that is looked up has besides. */
interface Fit {
  /** Null: in no partition; undefined: in any or none. */
  partitionId?: string | null | undefined;
  statuses?: readonly DocumentStatus[];
  sourceKind?: DocumentRecord["sourceKind"];
}

const unfailed: readonly DocumentStatus[] = ["pending", "processing", "processed"];
/** Lookups of one call at once: most read nothing. */
const maxLookups = 8;

export const createDocumentReads = (tables: DocumentTables): Reads => {
  const { documents, records, scopes } = tables;
  /** The newest document with this value of a column, of those that fit. */
  const newestBy = async (
    tenant: Tenant,
    column: LookedUp,
    value: string,
    { partitionId, statuses, sourceKind }: Fit,
  ): Promise<DocumentRecord | null> => {
    const few = await records.findBy(tenant, column, value);
    const fits = (document: DocumentRecord): boolean =>
      (partitionId === undefined || document.partitionId === partitionId) &&
      (statuses?.includes(document.status) ?? true) &&
      (sourceKind === undefined || document.sourceKind === sourceKind);
    if (few !== null) return few.find(fits) ?? null;
    const where = allOf(
      visibleTo(tenant),
      equals(column, value),
      statuses !== undefined && isOneOf("status", statuses),
      sourceKind !== undefined && equals("sourceKind", sourceKind),
      partitionId === null && "partitionId IS NULL",
      typeof partitionId === "string" && equals("partitionId", partitionId),
    );
    const newest = { where, orderBy: byCreation("desc"), limit: 1 };
    const ids = await documents.scan(["id", "createdAt"], newest, (row) => row.string("id"));
    return (await records.findMany(tenant, ids))[0] ?? null;
  };

  const countStatus = (status: DocumentStatus): Promise<number> => documents.count(equals("status", status));

  return {
    get: records.find,
    getMany: records.findMany,
    // Without `upsert`, several documents may have the same external id.
    getByExternalId: (tenant, externalId) => newestBy(tenant, "externalId", externalId, {}),
    async takenExternalIds(tenant, externalIds) {
      const found = await inParallel([...externalIds], maxLookups, async (externalId) => {
        const document = await newestBy(tenant, "externalId", externalId, {});
        return document === null ? [] : [externalId];
      });
      return new Set(found.flat());
    },
    getByTextHash: (tenant, textHash, partitionId) =>
      newestBy(tenant, "textHash", textHash, { partitionId, statuses: ["processed"] }),
    getByFile: (tenant, blobHash, partitionId) =>
      newestBy(tenant, "blobHash", blobHash, { partitionId, statuses: unfailed, sourceKind: "file" }),
    async list(tenant, { ids: wanted, partitionId, status, searchValue, metadata }, paging) {
      const isOfAll = [wanted, tenant.partitionId ?? partitionId, status, searchValue, metadata ?? undefined].every(
        (condition) => condition === undefined,
      );
      if (isOfAll) return records.list(tenant.organizationId, paging);
      const where = await scopes.documents(
        tenant,
        metadata ?? null,
        wanted !== undefined && isOneOf("id", wanted),
        partitionId !== undefined && equals("partitionId", partitionId),
        status !== undefined && equals("status", status),
        searchValue !== undefined && contains("nameFolded", searchValue),
      );
      // Ids first: else the sort would read every column of every row.
      const page = { where, orderBy: byCreation(paging.sortOrder), limit: paging.limit, offset: paging.skip };
      const [ids, total] = await Promise.all([
        documents.scan(["id", "createdAt"], page, (row) => row.string("id")),
        documents.count(where),
      ]);
      return { items: await records.findMany(tenant, ids), total };
    },
    listAfter: (tenant, id, limit) => listAfter(documents, visibleTo(tenant), id, limit),
    isTaken: records.has,
    ...createTextReads(tables),
    listUnfinished: (limit) =>
      documents.find({
        where: isOneOf("status", ["pending", "processing"]),
        orderBy: byCreation("asc"),
        limit,
      }),
    async countByStatus() {
      const [pending, processing, processed, failed] = await Promise.all([
        countStatus("pending"),
        countStatus("processing"),
        countStatus("processed"),
        countStatus("failed"),
      ]);
      return { pending, processing, processed, failed };
    },
    usage: createUsageMeter(tables),
    listIdsInPartition: (tenant, partitionId, limit) =>
      documents.scan(["id"], { where: allOf(visibleTo(tenant), equals("partitionId", partitionId)), limit }, (row) =>
        row.string("id"),
      ),
  };
};
