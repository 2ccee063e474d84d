import type { SnippetRecord } from "../../domain/records.ts";
import { isObject, isStrings, parseJson, type RowReader } from "../engine/cells.ts";
import { type Column, integer, longText, nullableText, nullableVector, text, texts } from "../engine/columns.ts";
import { DamagedRowError, textChecksum, vectorChecksum } from "../engine/row-checksum.ts";
import { defineTable, type TableDefinition } from "../engine/table-definition.ts";

/** A snippet as one index holds it. */
export interface StoredSnippet extends SnippetRecord {
  /** The pairs of its document's metadata (see metadata.ts). */
  metadataPairs: string[];
  vector: Float32Array | null;
}

/**
 * The columns that are read of a hit. The record is one column of JSON, because hits are spread over the table, and each
 * further column costs as much as the first. The other columns are only for search and filters.
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

const hexadecimal = (checksum: number): string => (checksum >>> 0).toString(16).padStart(8, "0");

/**
 * The record as it is stored: JSON, its checksum, and the checksum of the vector beside it. Searches read these two columns
 * and not the row's own checksum, which covers columns that they do not need.
 */
const recordText = (record: SnippetRecord, vector: Float32Array | null): string => {
  const text = JSON.stringify(record);
  return `${text}#${hexadecimal(textChecksum(text))}${hexadecimal(vector === null ? 0 : vectorChecksum(vector))}`;
};

/** `#` and two checksums. Earlier versions stored the JSON alone. */
const sumsLength = 17;

/** @param vector left out where it is not read @throws DamagedRowError */
const readRecord = (stored: string, vector?: Float32Array | null): SnippetRecord => {
  const end = stored.endsWith("}") ? stored.length : stored.length - sumsLength;
  const json = stored.slice(0, end);
  if (end < stored.length) {
    const sums = stored.slice(end);
    const expected = `#${hexadecimal(textChecksum(json))}`;
    if (!sums.startsWith(expected)) throw new DamagedRowError("the checksum of the snippet is another one");
    if (
      vector !== undefined &&
      sums.slice(expected.length) !== hexadecimal(vector === null ? 0 : vectorChecksum(vector))
    )
      throw new DamagedRowError("the checksum of the vector is another one");
  }
  try {
    return parseJson(json, isSnippetRecord);
  } catch (error) {
    throw new DamagedRowError("the snippet cannot be read", { cause: error });
  }
};

/** Reads the columns `record` and, where it was read, `vector`. @throws DamagedRowError */
export const decodeSnippet = (row: RowReader): SnippetRecord =>
  readRecord(row.string("record"), row.has("vector") ? row.vector("vector") : undefined);

/** The record without the other properties of a stored snippet. */
export const toRecord = (snippet: SnippetRecord): SnippetRecord => ({
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

/** The name of the table of an index. */
export const snippetTableName = (indexId: string): string => `snippets_${indexId}`;

/** The columns for search and filters, and the record that a search returns. */
type SnippetRow = Pick<
  StoredSnippet,
  | "organizationId"
  | "documentId"
  | "partitionId"
  | "revision"
  | "position"
  | "metadataPairs"
  | "terms"
  | "headingTerms"
  | "titleTerms"
  | "vector"
> & { record: { record: SnippetRecord; vector: Float32Array | null } };

const recordColumn: Column<SnippetRow["record"]> = {
  ...longText,
  encode: ({ record, vector }) => recordText(record, vector),
  decode: (row, name) => ({ record: readRecord(row.string(name)), vector: null }),
};

/** The snippets table of one index, with vectors of its length. */
export const snippetRows = (indexId: string, dimensions: number): TableDefinition<StoredSnippet> => {
  const rows = defineTable<SnippetRow>({
    name: snippetTableName(indexId),
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
    columns: {
      organizationId: text,
      documentId: text,
      partitionId: nullableText,
      revision: text,
      position: integer,
      metadataPairs: texts,
      terms: longText,
      headingTerms: text,
      titleTerms: text,
      record: recordColumn,
      // While the length is not known (0) there are no rows, but a column needs a length.
      vector: nullableVector(Math.max(1, dimensions)),
    },
  });
  return {
    ...rows,
    encode: (snippet) => rows.encode({ ...snippet, record: { record: toRecord(snippet), vector: snippet.vector } }),
    decode(row) {
      const { record, metadataPairs, vector } = rows.decode(row);
      return { ...record.record, metadataPairs, vector };
    },
  };
};

/**
 * @param holder what the vector is for
 * @throws Error if a vector does not have the length of its holder, or holds NaN or an infinity: LanceDB would accept it
 */
export const checkVector = (vector: Float32Array, dimensions: number, holder = "index"): void => {
  if (vector.length !== dimensions) {
    throw new Error(`a vector has ${vector.length} numbers where the ${holder} has ${dimensions}`);
  }
  for (const value of vector)
    if (!Number.isFinite(value)) throw new Error("a vector holds a number that is not finite");
};
