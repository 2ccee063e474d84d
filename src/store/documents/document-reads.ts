import type { DocumentStatus } from "../../domain/records.ts";
import type { DocumentStore } from "../contract/documents.ts";
import { allOf, contains, equals, isOneOf, visibleTo } from "../engine/filters.ts";
import { byCreation, listAfter } from "../engine/paging.ts";
import type { DocumentTables } from "./document-tables.ts";
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

/** Null: in no partition; undefined: in any or none. */
const within = (partitionId: string | null | undefined): (string | false)[] => [
  partitionId === null && "partitionId IS NULL",
  typeof partitionId === "string" && equals("partitionId", partitionId),
];

export const createDocumentReads = (tables: DocumentTables): Reads => {
  const { documents, records, scopes } = tables;
  const countStatus = (status: DocumentStatus): Promise<number> => documents.count(equals("status", status));

  return {
    get: records.find,
    getMany: records.findMany,
    async getByExternalId(tenant, externalId) {
      const where = allOf(visibleTo(tenant), equals("externalId", externalId));
      // Without `upsert`, several documents may have the same external id: the newest counts.
      const newest = { where, orderBy: byCreation("desc"), limit: 1 };
      const ids = await documents.scan(["id", "createdAt"], newest, (row) => row.string("id"));
      return (await records.findMany(tenant, ids))[0] ?? null;
    },
    async takenExternalIds(tenant, externalIds) {
      const where = allOf(visibleTo(tenant), isOneOf("externalId", externalIds));
      return new Set(await documents.scan(["externalId"], { where }, (row) => row.string("externalId")));
    },
    async getByTextHash(tenant, textHash, partitionId) {
      const where = allOf(
        visibleTo(tenant),
        equals("textHash", textHash),
        equals("status", "processed"),
        ...within(partitionId),
      );
      return (await documents.find({ where, limit: 1 }))[0] ?? null;
    },
    async getByFile(tenant, blobHash, partitionId) {
      const where = allOf(
        visibleTo(tenant),
        equals("blobHash", blobHash),
        equals("sourceKind", "file"),
        isOneOf("status", ["pending", "processing", "processed"]),
        ...within(partitionId),
      );
      return (await documents.find({ where, orderBy: byCreation("desc"), limit: 1 }))[0] ?? null;
    },
    async list(tenant, { ids: wanted, partitionId, status, searchValue, metadata }, paging) {
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
