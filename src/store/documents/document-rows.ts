import type { DocumentRecord } from "../../domain/records.ts";
import { isObject, isStrings } from "../engine/cells.ts";
import {
  derived,
  float,
  group,
  integer,
  json,
  longText,
  nullableFloat,
  nullableJson,
  nullableText,
  oneOf,
  text,
  texts,
} from "../engine/columns.ts";
import { foldCase } from "../engine/filters.ts";
import { defineTable, type TableDefinition } from "../engine/table-definition.ts";
import { toPairs } from "../search/metadata.ts";

const rows = defineTable<DocumentRecord, "nameFolded" | "metadataPairs">({
  name: "documents",
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
  columns: {
    id: text,
    organizationId: text,
    partitionId: nullableText,
    name: text,
    nameFolded: derived(text, ({ name }) => foldCase(name)),
    addedByUserId: text,
    createdAt: float,
    updatedAt: float,
    sourceKind: oneOf("text", "file", "url", "website"),
    originalUrl: nullableText,
    mimeType: nullableText,
    declaredMimeType: nullableText,
    metadata: nullableJson(isObject),
    metadataPairs: derived(texts, ({ metadata }) => toPairs(metadata)),
    externalId: nullableText,
    tokens: nullableFloat,
    status: oneOf("pending", "processing", "processed", "failed"),
    error: nullableText,
    warnings: json(isStrings),
    revision: nullableText,
    textHash: nullableText,
    blobHash: nullableText,
    attempts: integer,
    nextAttemptAt: nullableFloat,
    progress: group({ pages: integer, chunks: integer, embedded: integer }),
    errorReason: nullableText,
    begun: integer,
  },
});

export const documentRows: TableDefinition<DocumentRecord> = {
  ...rows,
  /** A reason belongs to an error: without one it is not stored. */
  encode: (document) => rows.encode(document.error === null ? { ...document, errorReason: null } : document),
};

/**
 * Id of the text that a document is to be processed with. Before the first revision it is the document's own id: if the
 * first revision has that id too, the text is its text already.
 */
export const pendingTextId = ({ id, revision }: Pick<DocumentRecord, "id" | "revision">): string =>
  revision === null ? id : `${id}.next`;

/** A full text: of a revision (`id` is the revision), or pending (`id` as `pendingTextId`). */
export interface StoredText {
  id: string;
  organizationId: string;
  documentId: string;
  text: string;
}

export const textRows = defineTable<StoredText>({
  name: "texts",
  key: "id",
  indexes: { id: "btree" },
  columns: { id: text, organizationId: text, documentId: text, text: longText },
});
