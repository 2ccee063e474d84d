import { inParallel } from "../../async/in-parallel.ts";
import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import type { DocumentRecord, DocumentStatus, Tenant } from "../../domain/records.ts";
import type { DocumentStore } from "../contract/documents.ts";
import { allOf, contains, equals, isOneOf, visibleTo } from "../engine/filters.ts";
import { byCreation, listAfter } from "../engine/paging.ts";
import { tenantOf } from "./document-records.ts";
import type { DocumentTables } from "./document-tables.ts";
import type { LookedUp } from "./known-documents.ts";

const maxConcurrentFiles = 16;

/** Measures what a tenant has stored. The texts are measured by LanceDB, on its own threads. */
const createUsageMeter =
  ({ documents, texts, blobs }: Pick<DocumentTables, "documents" | "texts" | "blobs">): DocumentStore["usage"] =>
  async (tenant, withBytes) => {
    const visible = visibleTo(tenant);
    if (!withBytes) return { documents: await documents.count(visible), bytes: 0 };
    const ids = new Set<string>();
    const files = new Set<string>();
    await documents.visit(["id", "blobHash"], visible, (row) => {
      ids.add(row.string("id"));
      const blobHash = row.nullableString("blobHash");
      if (blobHash !== null) files.add(blobHash);
      return true;
    });
    let bytes = 0;
    await texts.visitLengths("documentId", "text", equals("organizationId", tenant.organizationId), (id, length) => {
      if (ids.has(id)) bytes += length;
    });
    await inParallel([...files], maxConcurrentFiles, async (hash) => {
      bytes += (await blobs.size(hash)) ?? 0;
    });
    return { documents: ids.size, bytes };
  };

type TextReads = Pick<DocumentStore, "getText" | "getTexts" | "visitTexts" | "getPendingText">;

/** Id of the text of a document: of its revision, else the text that it was sent with. */
const textIdOf = (document: DocumentRecord): string => document.revision ?? document.id;

/** Texts are read together up to this many tokens: usually one mebibyte, at most 32 (a token has at most 128 bytes). */
const maxGroupTokens = 250_000;

const tokensOf = ({ tokens }: DocumentRecord): number => tokens ?? Number.POSITIVE_INFINITY;

const isLong = (documents: readonly DocumentRecord[]): boolean =>
  documents.reduce((sum, document) => sum + tokensOf(document), 0) > maxGroupTokens;

/** Documents in their order, in groups whose texts fit into memory together; a long one is a group of its own. */
const groupsOf = (documents: readonly DocumentRecord[]): DocumentRecord[][] => {
  const groups: DocumentRecord[][] = [];
  for (const document of documents) {
    const last = groups.at(-1);
    if (last !== undefined && !isLong([...last, document])) last.push(document);
    else groups.push([document]);
  }
  return groups;
};

/** Reads the texts of documents. Long ones are in memory one group at a time, whoever asks. */
const createTextReads = ({
  texts,
  pendingTexts,
  records,
  damage,
}: Pick<DocumentTables, "texts" | "pendingTexts" | "records" | "damage">): TextReads => {
  const oneAtATime = createKeyedMutex();

  const getTexts = async (wanted: readonly DocumentRecord[]): Promise<Map<string, string>> => {
    if (wanted.length === 0) return new Map();
    const rows = await texts.find({ where: isOneOf("id", wanted.map(textIdOf)) });
    const byId = new Map(rows.map((row) => [row.id, row.text]));
    const found = new Map<string, string>();
    for (const document of wanted) {
      const text = byId.get(textIdOf(document));
      if (text !== undefined) found.set(document.id, text);
    }
    return found;
  };

  /** @throws ApiError data_damaged for a text that the document has, and that was not found or is not as it was written */
  const assertWithoutText = async (document: DocumentRecord): Promise<void> => {
    const { id, organizationId, revision } = document;
    if (revision === null) return;
    const now = await records.find(tenantOf(document), id);
    if (now?.revision !== revision) return; // it was replaced or removed meanwhile
    const detail = "the text of a document is damaged or lost";
    damage.note({ kind: "row", where: texts.definition.name, id: revision, organizationId, belongsTo: id, detail });
    throw await damage.error(`The text of the document ${id} is damaged or lost`);
  };

  const visitTexts: TextReads["visitTexts"] = async (wanted, take) => {
    const groups = groupsOf(wanted);
    const visitGroups = async () => {
      for (const group of groups) {
        const found = await getTexts(group);
        for (const document of group) {
          const text = found.get(document.id);
          if (text === undefined) await assertWithoutText(document);
          else take(document, text);
        }
      }
    };
    await (isLong(wanted) ? oneAtATime("long texts", visitGroups) : visitGroups());
  };

  return {
    getTexts,
    visitTexts,
    async getText(document) {
      let found: string | null = null;
      await visitTexts([document], (_, text) => {
        found = text;
      });
      return found;
    },
    getPendingText: pendingTexts.read,
  };
};

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
