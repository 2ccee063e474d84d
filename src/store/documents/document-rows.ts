import type { DocumentRecord, DocumentStatus, SourceKind } from "../../domain/records.ts";
import { isObject, isStrings, parseJson } from "../engine/cells.ts";
import { foldCase } from "../engine/filters.ts";
import {
  float,
  integer,
  longText,
  nullableFloat,
  nullableText,
  schemaOf,
  type TableDefinition,
  text,
  texts,
} from "../engine/table-definition.ts";
import { toPairs } from "./metadata.ts";

const statuses: readonly string[] = ["pending", "processing", "processed", "failed"] satisfies DocumentStatus[];
const isStatus = (value: string): value is DocumentStatus => statuses.includes(value);
const sourceKinds: readonly string[] = ["text", "file", "url", "website"] satisfies SourceKind[];
const isSourceKind = (value: string): value is SourceKind => sourceKinds.includes(value);

export const documentRows: TableDefinition<DocumentRecord> = {
  name: "documents",
  schema: schemaOf(
    text("id"),
    text("organizationId"),
    nullableText("partitionId"),
    text("name"),
    text("nameFolded"),
    text("addedByUserId"),
    float("createdAt"),
    float("updatedAt"),
    text("sourceKind"),
    nullableText("originalUrl"),
    nullableText("mimeType"),
    nullableText("declaredMimeType"),
    nullableText("metadata"),
    texts("metadataPairs"),
    nullableText("externalId"),
    nullableFloat("tokens"),
    text("status"),
    nullableText("error"),
    text("warnings"),
    nullableText("revision"),
    nullableText("textHash"),
    nullableText("blobHash"),
    integer("attempts"),
    nullableFloat("nextAttemptAt"),
    integer("pages"),
    integer("chunks"),
    integer("embedded"),
    nullableText("errorReason"),
    integer("begun"),
  ),
  key: "id",
  indexes: {
    id: "btree",
    organizationId: "bitmap",
    partitionId: "bitmap",
    status: "bitmap",
    externalId: "btree",
    textHash: "btree",
    blobHash: "btree",
    metadataPairs: "label_list",
  },
  encode: (document) => ({
    id: document.id,
    organizationId: document.organizationId,
    partitionId: document.partitionId,
    name: document.name,
    nameFolded: foldCase(document.name),
    addedByUserId: document.addedByUserId,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
    sourceKind: document.sourceKind,
    originalUrl: document.originalUrl,
    mimeType: document.mimeType,
    declaredMimeType: document.declaredMimeType,
    metadata: document.metadata === null ? null : JSON.stringify(document.metadata),
    metadataPairs: toPairs(document.metadata),
    externalId: document.externalId,
    tokens: document.tokens,
    status: document.status,
    error: document.error,
    errorReason: document.error === null ? null : document.errorReason,
    warnings: JSON.stringify(document.warnings),
    revision: document.revision,
    textHash: document.textHash,
    blobHash: document.blobHash,
    attempts: document.attempts,
    nextAttemptAt: document.nextAttemptAt,
    pages: document.progress.pages,
    chunks: document.progress.chunks,
    embedded: document.progress.embedded,
    begun: document.begun,
  }),
  decode: (row) => {
    const status = row.string("status");
    const sourceKind = row.string("sourceKind");
    if (!isStatus(status) || !isSourceKind(sourceKind)) throw new Error("a document in the store cannot be read");
    const metadata = row.nullableString("metadata");
    return {
      id: row.string("id"),
      organizationId: row.string("organizationId"),
      partitionId: row.nullableString("partitionId"),
      name: row.string("name"),
      addedByUserId: row.string("addedByUserId"),
      createdAt: row.number("createdAt"),
      updatedAt: row.number("updatedAt"),
      sourceKind,
      originalUrl: row.nullableString("originalUrl"),
      mimeType: row.nullableString("mimeType"),
      declaredMimeType: row.nullableString("declaredMimeType"),
      metadata: metadata === null ? null : parseJson(metadata, isObject),
      externalId: row.nullableString("externalId"),
      tokens: row.nullableNumber("tokens"),
      status,
      error: row.nullableString("error"),
      errorReason: row.nullableString("errorReason"),
      warnings: parseJson(row.string("warnings"), isStrings),
      revision: row.nullableString("revision"),
      textHash: row.nullableString("textHash"),
      blobHash: row.nullableString("blobHash"),
      attempts: row.number("attempts"),
      nextAttemptAt: row.nullableNumber("nextAttemptAt"),
      begun: row.number("begun"),
      progress: { pages: row.number("pages"), chunks: row.number("chunks"), embedded: row.number("embedded") },
    };
  },
};

/**
 * Id under which the text is kept that a document waits with: its own while it holds nothing yet. There it becomes the
 * text of the first revision as it stands, where that bears the document's id.
 */
export const pendingTextId = ({ id, revision }: Pick<DocumentRecord, "id" | "revision">): string =>
  revision === null ? id : `${id}.next`;

/** A full text: of a revision (`id` is the revision), or what a document waits with (`pendingTextId`). */
export interface StoredText {
  id: string;
  organizationId: string;
  documentId: string;
  text: string;
}

export const textRows: TableDefinition<StoredText> = {
  name: "texts",
  schema: schemaOf(text("id"), text("organizationId"), text("documentId"), longText("text")),
  key: "id",
  indexes: { id: "btree" },
  encode: ({ id, organizationId, documentId, text }) => ({ id, organizationId, documentId, text }),
  decode: (row) => ({
    id: row.string("id"),
    organizationId: row.string("organizationId"),
    documentId: row.string("documentId"),
    text: row.string("text"),
  }),
};
