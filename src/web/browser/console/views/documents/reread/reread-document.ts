import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import type { Client } from "../../../client.ts";
import { rereadSource } from "./reread-source.ts";

/** Marks the document for the time that its original is handed over; taken off at once. */
const markOf = (id: string): string => `carrel-reread:${id}`;

/**
 * Has the server read a document again: with a parser that has changed, or from a page that has. It stays the same document,
 * with its name, partition and metadata; its present text is found until the new one is there.
 *
 * The API replaces a document by `metadata.externalId` (`upsert`). One that has none gets one while its original is sent.
 * @throws RequestFailure, Unreachable
 */
export const rereadDocument = async (client: Client, shown: DocumentRecord): Promise<void> => {
  const path = `/api/document/${encodeURIComponent(shown.id)}`;
  const source = rereadSource(shown);
  if (source === "retry") return await client.send("POST", `${path}/retry`);
  if (source === "none" || source === "running") return;
  // As it is now: the list may be old, and what is sent replaces it.
  const { name, metadata, mimeType, originalUrl } = await client.get<DocumentRecord>(path);
  const isMarked = typeof metadata?.externalId === "string" && metadata.externalId !== "";
  const marked = isMarked ? metadata : { ...metadata, externalId: markOf(shown.id) };
  const body = { name, metadata: marked, upsert: true, async: true };
  const file = source === "file" ? await (await client.fetch(`${path}/file`)).blob() : null;
  if (!isMarked) await client.send("PUT", path, { metadata: marked });
  try {
    if (file !== null) await client.send("POST", "/api/ingest", fileForm(file, name, body));
    else if (isPage(mimeType)) await client.send("POST", "/api/ingest", { ...body, websiteUrl: originalUrl });
    else await client.send("POST", "/api/ingest", { ...body, url: originalUrl });
  } finally {
    if (!isMarked) await client.send("PUT", path, { metadata });
  }
};

const fileForm = (file: Blob, name: string, body: object): FormData => {
  const form = new FormData();
  for (const [field, value] of Object.entries(body))
    form.set(field, typeof value === "object" ? JSON.stringify(value) : String(value));
  form.set("file", file, name);
  return form;
};

/** What was fetched as a page and what as a file, the API does not tell; the main text of HTML is wanted of both. */
const isPage = (mimeType: string | null): boolean => mimeType === "text/html" || mimeType === "application/xhtml+xml";
