import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import type { DocumentRecord, DocumentStatus } from "../../domain/records.ts";
import type { DocumentStore } from "../contract/documents.ts";
import { allOf, contains, equals, isOneOf, visibleTo } from "../engine/filters.ts";
import { byCreation, listAfter } from "../engine/paging.ts";
import { pendingTextId } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";
import { createUsageMeter } from "./usage.ts";

type Reads = Pick<
  DocumentStore,
  | "get"
  | "getMany"
  | "getByExternalId"
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

/** Null: in no partition; undefined: in any or none. */
const within = (partitionId: string | null | undefined): (string | false)[] => [
  partitionId === null && "partitionId IS NULL",
  typeof partitionId === "string" && equals("partitionId", partitionId),
];

export const createDocumentReads = (tables: DocumentTables): Reads => {
  const { documents, records, texts, scopes } = tables;
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

  const oneAtATime = createKeyedMutex();

  const visitTexts: Reads["visitTexts"] = async (wanted, take) => {
    const groups = groupsOf(wanted);
    const visitGroups = async () => {
      for (const group of groups) {
        for (const [id, text] of await getTexts(group)) {
          const document = group.find((one) => one.id === id);
          if (document !== undefined) take(document, text);
        }
      }
    };
    await (isLong(wanted) ? oneAtATime("long texts", visitGroups) : visitGroups());
  };

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
    getTexts,
    visitTexts,
    async getText(document) {
      let found: string | null = null;
      await visitTexts([document], (_, text) => {
        found = text;
      });
      return found;
    },
    async getPendingText(document) {
      const [row] = await texts.find({ where: equals("id", pendingTextId(document)), limit: 1 });
      return row?.text ?? null;
    },
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
