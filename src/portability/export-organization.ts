import type { Held } from "../async/in-flight.ts";
import { ApiError } from "../domain/errors.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { version } from "../domain/version.ts";
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

type ExportSource = Pick<Store, "documents" | "partitions" | "blobs" | "indexes">;

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
async function* exportDocument(
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

/** Documents read at a time. */
const pageOfDocuments = 128;
/** Texts are read together up to this many tokens: about one mebibyte. */
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
async function* exportDocuments(
  source: ExportSource,
  tenant: Tenant,
  until: number,
  held: Pick<Held, "note" | "drop">,
): AsyncGenerator<Entry, number> {
  const written = new Set<string>();
  let documents = 0;
  let after = "";
  for (;;) {
    const page = await source.documents.listAfter(tenant, after, pageOfDocuments);
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
    if (last === undefined || page.length < pageOfDocuments) return documents;
    after = last.id;
  }
}

/** Records read at a time. */
const pageSize = 100;

/** All records that come after one another by id, page after page. */
async function* all<T extends { id: string; createdAt: number }>(
  listAfter: (id: string) => Promise<T[]>,
  until: number,
): AsyncGenerator<T> {
  for (let page = await listAfter(""); page.length > 0; page = await listAfter(page.at(-1)?.id ?? ""))
    for (const record of page) if (record.createdAt <= until) yield record;
}

/**
 * Everything an organization holds, without vectors and keys, while the server keeps working. What is made after the
 * export began is left out, so that each record names only records that are there; a document that is removed meanwhile
 * is left out too. Ends with the entry `end`: without it the export was cut off.
 * @param tenant the whole organization
 * @param held counts the texts in memory
 */
export async function* exportOrganization(
  store: Store,
  tenant: Tenant,
  held: Pick<Held, "note" | "drop">,
): AsyncGenerator<Entry> {
  const until = Date.now();
  const organization = (await store.organizations.list()).find(({ id }) => id === tenant.organizationId)?.name ?? "";
  yield { kind: "organization", organization, carrel: version, createdAt: isoTime(until) };
  const records = { partition: 0, document: 0, chat: 0, message: 0 };

  const names = new Map<string, string>();
  for (let skip = 0; ; skip += pageSize) {
    const { items } = await store.partitions.list(tenant, { limit: pageSize, skip, sortOrder: "asc" }, null);
    for (const { id, name, createdAt } of items) {
      if (createdAt > until) continue;
      names.set(id, name);
      records.partition += 1;
      yield { kind: "partition", record: { id, name, createdAt: isoTime(createdAt) } };
    }
    if (items.length < pageSize) break;
  }

  records.document = yield* exportDocuments(store, tenant, until, held);

  const chats = new Set<string>();
  for await (const chat of all((id) => store.chats.listAfter(tenant, id, pageSize), until)) {
    const { organizationId: _, createdAt, ...fields } = chat;
    const partition = chat.partitionId === null ? null : (names.get(chat.partitionId) ?? null);
    chats.add(chat.id);
    records.chat += 1;
    yield { kind: "chat", record: { ...fields, partition, createdAt: isoTime(createdAt) } };
  }
  for await (const message of all((id) => store.messages.listAfter(tenant, id, pageSize), until)) {
    // Of a chat that was removed before it was read, messages may still be there.
    if (!chats.has(message.chatId)) continue;
    const { organizationId: _, createdAt, ...fields } = message;
    records.message += 1;
    yield { kind: "message", record: { ...fields, createdAt: isoTime(createdAt) } };
  }
  yield { kind: "end", records };
}
