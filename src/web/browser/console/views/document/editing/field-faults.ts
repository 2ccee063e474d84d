import type { Problem } from "../../../../shared/api.ts";

/** A field of the form, as the API calls it. */
type EditedField = "name" | "partitionId" | "metadata";

interface FieldFaults {
  /** The server's words for fields that are at fault. */
  fields: Partial<Record<EditedField, string>>;
  /** What concerns none of them; null: nothing. */
  other: unknown;
}

const fields: readonly EditedField[] = ["name", "partitionId", "metadata"];
/** Codes that name their field themselves. */
const fieldOfCode: Partial<Record<string, EditedField>> = {
  metadata_too_large: "metadata",
  partition_not_found: "partitionId",
};

/** To which fields a failure of the server belongs. A path such as `metadata.source` is of `metadata`. */
export const fieldFaultsOf = (error: unknown): FieldFaults => {
  if (!isReported(error)) return { fields: {}, other: error };
  const { code, errors } = error.problem;
  const found: FieldFaults["fields"] = {};
  for (const { path, message } of errors ?? []) {
    const field = fields.find((each) => path === each || path.startsWith(`${each}.`));
    if (field !== undefined) found[field] ??= path === field ? message : `${path}: ${message}`;
  }
  const named = fieldOfCode[code ?? ""];
  if (named !== undefined) found[named] ??= error.message;
  return { fields: found, other: Object.keys(found).length === 0 ? error : null };
};

/** Whether the server reported it (`RequestFailure`). */
const isReported = (error: unknown): error is Error & { problem: Partial<Problem> } =>
  error instanceof Error && "problem" in error && typeof error.problem === "object" && error.problem !== null;
