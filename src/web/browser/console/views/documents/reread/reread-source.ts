import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { originalKind } from "../../document/original-kind.ts";

/**
 * How a document can be read again. `address`: it is fetched anew from where it came from. `retry`: reading failed, and the
 * server tries it again as it is. `running`: it is being read. Not at all: `file`, since the API takes the same file for
 * unchanged and does not read it twice; `none`, since it came as text.
 */
export type RereadSource = "file" | "address" | "retry" | "running" | "none";

type Readable = Pick<DocumentRecord, "id" | "status" | "originalUrl" | "mimeType">;

export const rereadSource = (shown: Readable): RereadSource => {
  if (shown.status === "failed") return "retry";
  if (shown.status !== "processed") return "running";
  const kind = originalKind(shown);
  if (kind === "none") return "none";
  return kind === "fetched" ? "address" : "file";
};

export const isReadable = (shown: Readable): boolean => ["address", "retry"].includes(rereadSource(shown));

/** How many there are of each source. */
export const countSources = (documents: readonly Readable[]): Record<RereadSource, number> => {
  const counts = { file: 0, address: 0, retry: 0, running: 0, none: 0 };
  for (const each of documents) counts[rereadSource(each)] += 1;
  return counts;
};
