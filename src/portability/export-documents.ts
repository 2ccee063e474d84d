import type { Held } from "../async/in-flight.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { pagesOf } from "../ingest/index/page-starts.ts";
import type { Store } from "../store/contract.ts";
import { slicesOf } from "../text/slices.ts";
import { type DocumentEntry, type Entry, type Member, maxPartBytes, maxPartCharacters } from "./entry.ts";
import type { ExportedDocument } from "./format.ts";

type Source = Pick<Store, "documents" | "partitions" | "blobs" | "indexes">;

const fileIsMissing = "Its original file was missing when it was exported.";

/** A file that is open: it can be read to its end even if it is removed meanwhile. */
interface OpenFile {
  sha256: string;
  first: Uint8Array | null;
  rest: {
    read(): Promise<{ value?: Uint8Array | undefined; done: boolean }>;
    cancel(): Promise<void>;
  };
}

/** @returns null where there is no such file (any more) */
const openFile = async ({ blobs }: Source, sha256: string): Promise<OpenFile | null> => {
  const rest = (await blobs.open(sha256))?.stream.getReader();
  if (rest === undefined) return null;
  try {
    const { value = null } = await rest.read();
    return { sha256, first: value, rest };
  } catch {
    return null;
  }
};

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

function* partsOf(of: Member, text: string): Generator<Entry> {
  let before: string | null = null;
  for (const data of slicesOf(text, maxPartCharacters)) {
    if (before !== null) yield { kind: "part", of, data: before, last: false };
    before = data;
  }
  yield { kind: "part", of, data: before ?? "", last: true };
}

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

/** What is read of a document; null where it was replaced or removed meanwhile. */
const readContent = async (source: Source, document: DocumentRecord, text: string | null) => {
  const { revision, status, blobHash } = document;
  const isUnfinished = status !== "processed";
  const pendingText = isUnfinished ? await source.documents.getPendingText(document) : null;
  // The store gives the pending text for the text of a document that has none yet.
  const found = revision === null ? null : text;
  const snippets =
    revision === null || document.progress.pages === 0 ? undefined : await source.indexes.snippetsOf([document]);
  const pages = pagesOf(snippets?.get(document.id) ?? []);
  return { found, pendingText, pages, file: blobHash === null ? null : await openFile(source, blobHash) };
};

async function* exportDocument(
  source: Source,
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
    // Replaced since it was listed: as it is now. If it is still not whole, that is how it is stored.
    document = await source.documents.get(tenant, listed.id);
    if (document === null) return;
    await content.file?.rest.cancel().catch(() => undefined);
    content = await readContent(source, document, await source.documents.getText(document));
  }
  const { found, pendingText, pages, file } = content;
  const partition =
    document.partitionId === null ? null : ((await source.partitions.get(tenant, document.partitionId))?.name ?? null);
  const long = (text: string | null): text is string => text !== null && text.length > maxPartCharacters;
  const isSent = file !== null && !isWritten(file.sha256);
  const follows: Member[] = [
    ...(long(found) ? (["text"] as const) : []),
    ...(long(pendingText) ? (["pendingText"] as const) : []),
    ...(isSent ? (["file"] as const) : []),
  ];
  const record = exported(document, partition, {
    pages,
    text: long(found) ? null : found,
    pendingText: long(pendingText) ? null : pendingText,
    file: file?.sha256 ?? null,
  });
  const entry: DocumentEntry = { kind: "document", record, follows };
  yield entry;
  if (long(found)) yield* partsOf("text", found);
  if (long(pendingText)) yield* partsOf("pendingText", pendingText);
  if (file === null) return;
  if (isSent) yield* fileParts(file);
  else await file.rest.cancel().catch(() => undefined);
}

/** Documents read at a time. */
const pageSize = 128;
/** Texts are read together up to so many tokens: about one mebibyte. */
const maxGroupTokens = 250_000;
/** A file that several documents name is sent once, as far as these are remembered. */
const maxRemembered = 100_000;

/** Documents in their order, in groups whose texts fit into memory together. */
function* groupsOf(documents: readonly DocumentRecord[]): Generator<DocumentRecord[]> {
  let group: DocumentRecord[] = [];
  let tokens = 0;
  for (const document of documents) {
    const own = document.tokens ?? maxGroupTokens;
    if (group.length > 0 && tokens + own > maxGroupTokens) {
      yield group;
      group = [];
      tokens = 0;
    }
    group.push(document);
    tokens += own;
  }
  if (group.length > 0) yield group;
}

/**
 * The documents that were there at `until` (epoch ms), each followed by its long texts and its file, as they are when
 * their turn comes: one that is removed meanwhile is left out.
 * @param held counts the texts in memory
 * @returns how many
 */
export async function* exportDocuments(
  source: Source,
  tenant: Tenant,
  until: number,
  held: Pick<Held, "note" | "drop">,
): AsyncGenerator<Entry, number> {
  const written = new Set<string>();
  let documents = 0;
  let after = "";
  for (;;) {
    const page = await source.documents.listAfter(tenant, after, pageSize);
    for (const group of groupsOf(page.filter(({ createdAt }) => createdAt <= until))) {
      const texts = await source.documents.getTexts(group);
      const bytes = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
      held.note(bytes);
      for (const document of group) {
        const text = texts.get(document.id) ?? null;
        for await (const entry of exportDocument(source, tenant, document, text, (hash) => written.has(hash))) {
          if (entry.kind === "document") {
            documents += 1;
            if (entry.record.file !== null && written.size < maxRemembered) written.add(entry.record.file);
          }
          yield entry;
        }
      }
      held.drop(bytes);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return documents;
    after = last.id;
  }
}
