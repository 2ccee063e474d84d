import type { IndexInfo } from "../../domain/records.ts";
import { float, integer, schemaOf, type TableDefinition, text } from "../engine/table-definition.ts";

export const indexRows: TableDefinition<IndexInfo & { replacedBy?: never }> = {
  name: "indexes",
  schema: schemaOf(
    text("id"),
    text("provider"),
    text("model"),
    integer("dimensions"),
    integer("analysisVersion"),
    text("state"),
    float("createdAt"),
    text("modelRevision"),
  ),
  key: "id",
  indexes: {},
  encode: ({ id, provider, model, dimensions, analysisVersion, state, createdAt, modelRevision }) => ({
    id,
    provider,
    model,
    dimensions,
    analysisVersion,
    state,
    createdAt,
    modelRevision,
  }),
  decode: (row) => {
    const state = row.string("state");
    if (state !== "active" && state !== "building")
      throw new Error("an index in the store has a state that is unknown");
    return {
      id: row.string("id"),
      provider: row.string("provider"),
      model: row.string("model"),
      dimensions: row.number("dimensions"),
      analysisVersion: row.number("analysisVersion"),
      state,
      createdAt: row.number("createdAt"),
      modelRevision: row.string("modelRevision"),
    };
  },
};

/** A setting of the store itself, such as the version of its schema. */
export interface MetaEntry {
  id: string;
  value: string;
}

export const metaRows: TableDefinition<MetaEntry> = {
  name: "meta",
  schema: schemaOf(text("id"), text("value")),
  key: "id",
  indexes: {},
  encode: ({ id, value }) => ({ id, value }),
  decode: (row) => ({ id: row.string("id"), value: row.string("value") }),
};
