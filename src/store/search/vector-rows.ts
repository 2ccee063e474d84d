import type { VectorSetInfo } from "../../domain/records.ts";
import { float, integer, nullableText, nullableVector, oneOf, text, texts } from "../engine/columns.ts";
import { defineTable, type TableDefinition } from "../engine/table-definition.ts";

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
  /** The pairs of its document's metadata (src/store/search/metadata.ts). */
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
