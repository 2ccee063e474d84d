import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { originalKind } from "./document-words.ts";

/**
 * What a document is read again from: its `file`, what is at its `address` now, or its `text`. `failed`: reading it failed,
 * and is tried again from the same. `running`: it is being read, and cannot be read again.
 */
type RereadSource = "file" | "address" | "text" | "failed" | "running";

type Readable = Pick<DocumentRecord, "id" | "status" | "originalUrl" | "mimeType">;

const rereadSource = (shown: Readable): RereadSource => {
  if (shown.status === "failed") return "failed";
  if (shown.status !== "processed") return "running";
  const kind = originalKind(shown);
  if (kind === "none") return "text";
  return kind === "fetched" ? "address" : "file";
};

export const isReadable = (shown: Readable): boolean => rereadSource(shown) !== "running";

/** How many there are of each source. */
export const countSources = (documents: readonly Readable[]): Record<RereadSource, number> => {
  const counts = { file: 0, address: 0, text: 0, failed: 0, running: 0 };
  for (const each of documents) counts[rereadSource(each)] += 1;
  return counts;
};
