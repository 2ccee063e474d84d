import type { DocumentRecord, NewSnippet } from "../../domain/records.ts";
import type { Publication } from "../contract/documents.ts";
import { IndexesChangedError } from "../contract/search.ts";
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
import { allOfIndexes, type LiveIndex, type LiveIndexes } from "../search/live-indexes.ts";
import { toPairs, toSnippetPairs } from "../search/scope-filter.ts";
import { checkVector, type StoredSnippet } from "../search/snippet-rows.ts";

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

/** New snippets of a document, by the index that they are for. */
export type IndexRows = ReadonlyMap<LiveIndex, readonly StoredSnippet[]>;

/** The rows of one index for the snippets of a document. @throws Error where a vector does not fit */
export const toStoredSnippets = (
  index: LiveIndex,
  document: DocumentRecord,
  snippets: readonly NewSnippet[],
): StoredSnippet[] => {
  const metadataPairs = toSnippetPairs(document.metadata);
  return snippets.map(({ vectors, ...snippet }) => {
    const vector = vectors.get(index.info.id) ?? null;
    if (vector !== null) checkVector(vector, index.info.dimensions);
    return {
      ...snippet,
      organizationId: document.organizationId,
      documentId: document.id,
      partitionId: document.partitionId,
      metadataPairs,
      vector,
    };
  });
};

/**
 * The rows of a publication, for each index that its snippets were made for.
 * @throws IndexesChangedError if the active index is not among them; Error if the parts do not fit together
 */
export const toPublicationRows = (live: LiveIndexes, { document, snippets }: Publication): IndexRows => {
  if (snippets.some(({ revision }) => revision !== document.revision)) throw new Error("a snippet of another revision");
  if (snippets.some(({ vectors }) => !vectors.has(live.active.info.id))) throw new IndexesChangedError();
  const indexes = allOfIndexes(live).filter(({ info }) => snippets.every(({ vectors }) => vectors.has(info.id)));
  return new Map(indexes.map((index) => [index, toStoredSnippets(index, document, snippets)]));
};
