import type { SnippetRecord } from "../../domain/records.ts";
import { Field, FixedSizeList, Float32 } from "../engine/arrow.ts";
import { isObject, isStrings, parseJson, type RowReader } from "../engine/cells.ts";
import {
  integer,
  longText,
  nullableText,
  schemaOf,
  type TableDefinition,
  text,
  texts,
} from "../engine/table-definition.ts";

/** A snippet as one index holds it. */
export interface StoredSnippet extends SnippetRecord {
  /** Of its document's metadata (see metadata.ts). */
  metadataPairs: string[];
  vector: Float32Array | null;
}

/**
 * What is read of a hit. The record is one column of JSON: a search takes its rows from all over the table, and each
 * further column costs as much as the first. The other columns are only searched and filtered on.
 */
export const snippetColumns: readonly string[] = ["record"];

const isSnippetRecord = (value: unknown): value is SnippetRecord =>
  isObject(value) &&
  typeof value.id === "string" &&
  typeof value.organizationId === "string" &&
  typeof value.documentId === "string" &&
  (value.partitionId === null || typeof value.partitionId === "string") &&
  typeof value.revision === "string" &&
  typeof value.position === "number" &&
  typeof value.text === "string" &&
  typeof value.context === "string" &&
  isStrings(value.headings) &&
  (value.page === null || typeof value.page === "number") &&
  typeof value.start === "number" &&
  typeof value.end === "number" &&
  typeof value.terms === "string" &&
  typeof value.headingTerms === "string" &&
  typeof value.titleTerms === "string";

export const decodeSnippet = (row: RowReader): SnippetRecord => parseJson(row.string("record"), isSnippetRecord);

/** The record alone, without what its caller holds beside it. */
const toRecord = (snippet: SnippetRecord): SnippetRecord => ({
  id: snippet.id,
  organizationId: snippet.organizationId,
  documentId: snippet.documentId,
  partitionId: snippet.partitionId,
  revision: snippet.revision,
  position: snippet.position,
  text: snippet.text,
  context: snippet.context,
  headings: snippet.headings,
  page: snippet.page,
  start: snippet.start,
  end: snippet.end,
  terms: snippet.terms,
  headingTerms: snippet.headingTerms,
  titleTerms: snippet.titleTerms,
});

/** Name of the table of an index. */
export const snippetTableName = (indexId: string): string => `snippets_${indexId}`;

/** The snippets table of one index, with vectors of its length. */
export const snippetRows = (indexId: string, dimensions: number): TableDefinition<StoredSnippet> => ({
  name: snippetTableName(indexId),
  schema: schemaOf(
    text("organizationId"),
    text("documentId"),
    nullableText("partitionId"),
    text("revision"),
    integer("position"),
    texts("metadataPairs"),
    longText("terms"),
    text("headingTerms"),
    text("titleTerms"),
    longText("record"),
    // A length that is not known yet (0) is none that a column could have; there are no rows then.
    new Field("vector", new FixedSizeList(Math.max(1, dimensions), new Field("item", new Float32(), true)), true),
  ),
  key: null,
  indexes: {
    organizationId: "bitmap",
    documentId: "btree",
    partitionId: "bitmap",
    revision: "btree",
    metadataPairs: "label_list",
    terms: "fts",
    headingTerms: "fts",
    titleTerms: "fts",
  },
  encode: (snippet) => ({
    organizationId: snippet.organizationId,
    documentId: snippet.documentId,
    partitionId: snippet.partitionId,
    revision: snippet.revision,
    position: snippet.position,
    metadataPairs: snippet.metadataPairs,
    terms: snippet.terms,
    headingTerms: snippet.headingTerms,
    titleTerms: snippet.titleTerms,
    record: JSON.stringify(toRecord(snippet)),
    vector: snippet.vector,
  }),
  decode: (row) => ({
    ...decodeSnippet(row),
    metadataPairs: row.strings("metadataPairs"),
    vector: row.vector("vector")?.slice() ?? null,
  }),
});

/** @throws Error where a vector has another length than the index or holds NaN or an infinity: LanceDB would pad or keep it */
export const checkVector = (vector: Float32Array, dimensions: number): void => {
  if (vector.length !== dimensions) {
    throw new Error(`a vector has ${vector.length} numbers where the index has ${dimensions}`);
  }
  for (const value of vector)
    if (!Number.isFinite(value)) throw new Error("a vector holds a number that is not finite");
};
