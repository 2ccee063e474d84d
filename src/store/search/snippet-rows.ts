import type { SnippetRecord, VectorSetInfo } from "../../domain/records.ts";
import { isObject, isStrings, parseJson, type RowReader } from "../engine/cells.ts";
import {
  type Column,
  float,
  integer,
  longText,
  nullableText,
  nullableVector,
  oneOf,
  text,
  texts,
} from "../engine/columns.ts";
import { crc32, DamagedRowError, defineTable, type TableDefinition } from "../engine/table-definition.ts";

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

const checksumDigits = 8;
const checksumText = (text: string): string => crc32(text).toString(16).padStart(checksumDigits, "0");

/**
 * The record as JSON, and its checksum in eight digits. Searches read this column and not the row's own checksum, which
 * covers columns that they do not need.
 */
const recordColumn: Column<SnippetRecord> = {
  ...longText,
  encode: (record) => {
    const text = JSON.stringify(record);
    return text + checksumText(text);
  },
  decode(row, name) {
    const stored = row.string(name);
    const text = stored.slice(0, -checksumDigits);
    if (!stored.endsWith(checksumText(text))) throw new DamagedRowError("the checksum of the snippet is another one");
    return parseJson(text, isSnippetRecord);
  },
};
/** @throws DamagedRowError */
export const decodeSnippet = (row: RowReader): SnippetRecord => recordColumn.decode(row, "record");

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
export const isOfSnippets = (table: string): boolean => table.startsWith(snippetTableName(""));

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
> & { record: SnippetRecord };

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
    encode: (snippet) => rows.encode({ ...snippet, record: toRecord(snippet) }),
    decode(row) {
      const { record, metadataPairs, vector } = rows.decode(row);
      return { ...record, metadataPairs, vector };
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

export const vectorSetRows = defineTable<VectorSetInfo>({
  name: "vector_sets",
  key: "id",
  indexes: {},
  columns: {
    id: text,
    provider: text,
    model: text,
    dimensions: integer,
    modelRevision: text,
    analysisVersion: integer,
    state: oneOf("active", "building"),
    createdAt: float,
  },
});

/** The vector of a snippet, with what the snippet carries of its document, so that both are filtered by one condition. */
export interface StoredVector {
  organizationId: string;
  documentId: string;
  partitionId: string | null;
  revision: string;
  /** The pairs of its document's metadata (src/store/search/scope-filter.ts). */
  metadataPairs: string[];
  position: number;
  /** `embeddingInputHash` of the snippet. */
  inputHash: string;
  /** Null if the model refuses the text: the cosine to a vector of zeros is undefined, and no search may find it. */
  vector: Float32Array | null;
}

/** The name of the table of a vector set. */
export const vectorTableName = (setId: string): string => `vectors_${setId}`;

/** The table of one vector set. The vector is the last column: the check of tables at the start skips it. */
export const vectorRows = (setId: string, dimensions: number): TableDefinition<StoredVector> =>
  defineTable<StoredVector>({
    name: vectorTableName(setId),
    key: null,
    indexes: {
      organizationId: "bitmap",
      documentId: "btree",
      partitionId: "bitmap",
      revision: "btree",
      metadataPairs: "label_list",
      inputHash: "btree",
    },
    columns: {
      organizationId: text,
      documentId: text,
      partitionId: nullableText,
      revision: text,
      metadataPairs: texts,
      position: integer,
      inputHash: text,
      vector: nullableVector(dimensions),
    },
  });

export const isZero = (vector: Float32Array): boolean => vector.every((value) => value === 0);
