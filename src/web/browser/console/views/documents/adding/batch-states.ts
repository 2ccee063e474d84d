import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import type { Client } from "../../../client.ts";

interface BatchStates {
  /** By id: those of the wanted documents that are waiting, being read, or failed. */
  found: ReadonlyMap<string, Pick<DocumentRecord, "status" | "error" | "progress" | "reading" | "name">>;
  /** Whether the others are certainly none of these: ready, or deleted. */
  isWhole: boolean;
}

const pageRows = 100;
/** Pages of a state that are asked for at a time. Beyond, what is not found is not known. */
const maxPages = 10;
/** In the order in which a document goes through them: one that moves on meanwhile is still found. */
const statuses = ["pending", "processing", "failed"] as const;

/**
 * How many documents are, in few requests: the lists of those that are not ready, newest first, as far back as the
 * oldest that is wanted. Ids are ordered by time.
 */
export const readBatchStates = async (
  client: Client,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<BatchStates> => {
  const oldest = [...wanted].reduce((a, b) => (a < b ? a : b), "g");
  const found = new Map<string, DocumentRecord>();
  let isWhole = true;
  for (const status of statuses) {
    for (let page = 0; ; page += 1) {
      if (page === maxPages) {
        isWhole = false;
        break;
      }
      const query = { status, limit: pageRows, skip: page * pageRows };
      const { items } = await client.list<DocumentRecord>("/api/document", query, signal);
      for (const document of items) if (wanted.has(document.id)) found.set(document.id, document);
      const last = items.at(-1);
      if (items.length < pageRows || last === undefined || last.id < oldest) break;
    }
  }
  return { found, isWhole };
};
