import type { CalibrationRecord, CalibrationStore } from "./contract/calibrations.ts";
import { float, integer, json, text } from "./engine/columns.ts";
import type { StoreTable } from "./engine/store-table.ts";
import { defineTable } from "./engine/table-definition.ts";

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((each) => typeof each === "number" && Number.isFinite(each));

export const calibrationRows = defineTable<CalibrationRecord>({
  name: "calibrations",
  key: "organizationId",
  indexes: {},
  columns: {
    organizationId: text,
    fittedWith: text,
    snippets: integer,
    questions: integer,
    coefficients: json(isNumbers),
    answerable: json(isNumbers),
    fittedAt: float,
  },
});

export const createCalibrationStore = (table: StoreTable<CalibrationRecord>): CalibrationStore => ({
  list: () => table.find({}),
  put: (calibration) => table.upsert(calibration.organizationId, [calibration]),
});
