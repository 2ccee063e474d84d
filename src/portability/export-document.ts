import { ApiError } from "../domain/errors.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { pagesOf } from "../ingest/index/publication.ts";
import type { BlobStore, Store } from "../store/contract.ts";
import { documentEntries, type Entry, maxPartBytes } from "./entry.ts";
import type { ExportedDocument } from "./format.ts";

/** A file that is open: it can be read to its end even if it is removed meanwhile. */
interface OpenFile {
  sha256: string;
  first: Uint8Array | null;
  rest: {
    read(): Promise<{ value?: Uint8Array | undefined; done: boolean }>;
    cancel(): Promise<void>;
  };
}

/** @returns null where there is no such file (any more), or it is damaged */
const openFile = async (blobs: BlobStore, sha256: string): Promise<OpenFile | null> => {
  const opened = await blobs.open(sha256).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "data_damaged") return null;
    throw error;
  });
  const rest = opened?.stream.getReader();
  if (rest === undefined) return null;
  try {
    const { value = null } = await rest.read();
    return { sha256, first: value, rest };
  } catch {
    return null;
  }
};

/** A file in parts, each of at most `maxPartBytes` before it is written as base64. */
async function* fileParts({ first, rest }: OpenFile): AsyncGenerator<Entry> {
  const part = (bytes: Uint8Array, last: boolean): Entry => ({
    kind: "part",
    of: "file",
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    last,
  });
  let held: Uint8Array = first ?? new Uint8Array();
  try {
    for (let isEnded = first === null; !isEnded; ) {
      for (; held.byteLength > maxPartBytes; held = held.subarray(maxPartBytes))
        yield part(held.subarray(0, maxPartBytes), false);
      const { value, done } = await rest.read();
      isEnded = done;
      if (value !== undefined) held = Buffer.concat([held, value]);
    }
    yield part(held, true);
  } finally {
    await rest.cancel().catch(() => undefined);
  }
}

export type ExportSource = Pick<Store, "documents" | "partitions" | "blobs" | "indexes">;

const textIsMissing = "Its text was missing or damaged when it was exported.";
const fileIsMissing = "Its original file was missing or damaged when it was exported.";

const exported = (
  document: DocumentRecord,
  partition: string | null,
  content: Pick<ExportedDocument, "pages" | "text" | "pendingText" | "file">,
): ExportedDocument => ({
  id: document.id,
  partitionId: document.partitionId,
  partition,
  name: document.name,
  addedByUserId: document.addedByUserId,
  createdAt: isoTime(document.createdAt),
  updatedAt: isoTime(document.updatedAt),
  sourceKind: document.sourceKind,
  originalUrl: document.originalUrl,
  mimeType: document.mimeType,
  declaredMimeType: document.declaredMimeType,
  metadata: document.metadata,
  tokens: document.tokens,
  status: document.status === "processing" ? "pending" : document.status,
  error: document.error,
  errorReason: document.errorReason,
  warnings:
    document.blobHash !== null && content.file === null ? [...document.warnings, fileIsMissing] : document.warnings,
  ...content,
});

/** What is read of a document; null where it was replaced or removed meanwhile. */
const readContent = async (source: ExportSource, document: DocumentRecord, text: string | null) => {
  const { revision, status, blobHash } = document;
  const isUnfinished = status !== "processed";
  const pendingText = isUnfinished ? await source.documents.getPendingText(document) : null;
  // The store gives the pending text for the text of a document that has none yet.
  const found = revision === null ? null : text;
  const snippets =
    revision === null || document.progress.pages === 0 ? undefined : await source.indexes.snippetsOf([document]);
  const pages = pagesOf(snippets?.get(document.id) ?? []);
  return { found, pendingText, pages, file: blobHash === null ? null : await openFile(source.blobs, blobHash) };
};

/**
 * A document as it is now, then its long texts and its file.
 * @param knownText its text, read with those of other documents; null where it has none
 * @param isWritten whether a file was sent with an earlier document
 */
export async function* exportDocument(
  source: ExportSource,
  tenant: Tenant,
  listed: DocumentRecord,
  knownText: string | null,
  isWritten: (sha256: string) => boolean,
): AsyncGenerator<Entry> {
  let document: DocumentRecord | null = listed;
  let content = await readContent(source, listed, knownText);
  const isWhole = (): boolean =>
    (document?.revision === null || content.found !== null) && (document?.blobHash === null || content.file !== null);
  if (!isWhole()) {
    // The document was replaced since it was listed: it is read again. What is missing now is missing in the store.
    document = await source.documents.get(tenant, listed.id);
    if (document === null) return;
    await content.file?.rest.cancel().catch(() => undefined);
    const [text = null] = (await source.documents.getTexts([document])).values();
    content = await readContent(source, document, text);
  }
  const { found, pendingText, pages, file } = content;
  const partition =
    document.partitionId === null ? null : ((await source.partitions.get(tenant, document.partitionId))?.name ?? null);
  const record = exported(document, partition, { pages, text: found, pendingText, file: file?.sha256 ?? null });
  if (document.revision !== null && found === null) record.warnings = [...record.warnings, textIsMissing];
  const isSent = file !== null && !isWritten(file.sha256);
  yield* documentEntries(record, isSent);
  if (file === null) return;
  if (isSent) yield* fileParts(file);
  else await file.rest.cancel().catch(() => undefined);
}
