import type { Document as DocumentRecord } from "../../../../shared/api.ts";

export type Metadata = NonNullable<DocumentRecord["metadata"]>;

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
