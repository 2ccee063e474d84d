import type { IndexInfo } from "../../domain/records.ts";
import { float, integer, oneOf, text } from "../engine/columns.ts";
import { defineTable } from "../engine/table-definition.ts";

export const indexRows = defineTable<IndexInfo>({
  name: "indexes",
  key: "id",
  indexes: {},
  columns: {
    id: text,
    provider: text,
    model: text,
    dimensions: integer,
    analysisVersion: integer,
    state: oneOf("active", "building"),
    createdAt: float,
    modelRevision: text,
  },
});
