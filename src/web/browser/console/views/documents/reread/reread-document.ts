import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import type { Client } from "../../../client.ts";
import { rereadSource } from "./reread-source.ts";

/** Marks the document for the time that its address is handed over; taken off at once. */
const markOf = (id: string): string => `carrel-reread:${id}`;

/**
 * Has the server read a document again: one whose reading failed, or one that it fetched, from what is now at its address. It
 * stays the same document, with its name, partition and metadata; its present text is found until the new one is there.
 *
 * The API replaces a document by `metadata.externalId` (`upsert`). One that has none gets one while its address is sent.
 * @throws RequestFailure, Unreachable
 */
export const rereadDocument = async (client: Client, shown: DocumentRecord): Promise<void> => {
  const path = `/api/document/${encodeURIComponent(shown.id)}`;
  const source = rereadSource(shown);
  if (source === "retry") return await client.send("POST", `${path}/retry`);
  if (source !== "address") return;
  // As it is now: the list may be old, and what is sent replaces it.
  const { name, metadata, mimeType, originalUrl } = await client.get<DocumentRecord>(path);
  const isMarked = typeof metadata?.externalId === "string" && metadata.externalId !== "";
  const marked = isMarked ? metadata : { ...metadata, externalId: markOf(shown.id) };
  const address = isPage(mimeType) ? { websiteUrl: originalUrl } : { url: originalUrl };
  if (!isMarked) await client.send("PUT", path, { metadata: marked });
  try {
    await client.send("POST", "/api/ingest", { ...address, name, metadata: marked, upsert: true, async: true });
  } finally {
    if (!isMarked) await client.send("PUT", path, { metadata });
  }
};

/** What was fetched as a page and what as a file, the API does not tell; the main text of HTML is wanted of both. */
const isPage = (mimeType: string | null): boolean => mimeType === "text/html" || mimeType === "application/xhtml+xml";
