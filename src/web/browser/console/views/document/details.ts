import type { Document as DocumentRecord, Problem } from "../../../shared/api.ts";

type Metadata = NonNullable<DocumentRecord["metadata"]>;

/** Of metadata as JSON; the server's limit. */
export const maxMetadataBytes = 64 * 1024;

/** What a person wrote: the metadata (null where nothing stands there), or why it is none. */
export type ReadMetadata =
  | { fault: null; metadata: Metadata | null; bytes: number }
  | { fault: "syntax" | "noObject" | "number" | "tooLarge"; bytes: number };

/** As it is edited: a line for each field. */
export const metadataText = (metadata: Metadata | null): string =>
  metadata === null ? "" : JSON.stringify(metadata, null, 2);

export const readMetadataText = (text: string): ReadMetadata => {
  if (text.trim() === "") return { fault: null, metadata: null, bytes: 0 };
  const typed = bytesOf(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "syntax", bytes: typed };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { fault: "noObject", bytes: typed };
  if (holdsEndless(value)) return { fault: "number", bytes: typed };
  const bytes = bytesOf(JSON.stringify(value));
  return bytes > maxMetadataBytes ? { fault: "tooLarge", bytes } : { fault: null, metadata: value as Metadata, bytes };
};

/** A number such as 1e400, which would be sent as null. */
const holdsEndless = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.values(value).some(holdsEndless)
    : typeof value === "number" && !Number.isFinite(value);

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

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
