import { ApiError } from "../domain/errors.ts";
import { type DocumentRecord, externalIdOf } from "../domain/records.ts";
import type { TextToAnalyze } from "../ingest/index/analyzed-text.ts";
import type { Reservation } from "../limits/quotas.ts";
import { type DocumentEntry, type Member, partsOf } from "./entry.ts";
import type { ExportedDocument } from "./format.ts";
import type { ImportRun } from "./import-run.ts";
import { refuse, type TakenEntry } from "./read-entries.ts";

const textIsLost = "Its text was missing in the export: ingest it again.";

/** The status of an imported document: one that has neither a text nor something to read it from is failed. */
const statusOf = (record: ExportedDocument): Pick<DocumentRecord, "status" | "error"> => {
  if (record.status !== "processed" || record.text !== null) return { status: record.status, error: record.error };
  const canBeRead = record.pendingText !== null || record.file !== null || record.originalUrl !== null;
  return canBeRead ? { status: "pending", error: null } : { status: "failed", error: textIsLost };
};

/** The record of a document of an export, with its whole texts, before it is processed here. */
const importedRecord = (
  record: ExportedDocument,
  { id, organizationId, partitionId }: Pick<DocumentRecord, "id" | "organizationId" | "partitionId">,
): DocumentRecord => ({
  id,
  organizationId,
  partitionId,
  name: record.name,
  addedByUserId: record.addedByUserId,
  createdAt: Date.parse(record.createdAt),
  updatedAt: Date.parse(record.updatedAt),
  sourceKind: record.sourceKind,
  originalUrl: record.originalUrl,
  mimeType: record.mimeType,
  declaredMimeType: record.declaredMimeType,
  metadata: record.metadata,
  externalId: externalIdOf(record.metadata),
  tokens: record.tokens,
  ...statusOf(record),
  errorReason: record.errorReason,
  warnings: record.warnings,
  revision: null,
  textHash: null,
  blobHash: record.file,
  attempts: 0,
  nextAttemptAt: null,
  begun: 0,
  progress: { pages: 0, chunks: 0, embedded: 0 },
});

type Entries = AsyncIterator<TakenEntry, void>;

const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The parts of what follows a document. @throws ApiError where something else comes */
const partsFor = (entries: Entries, of: Member, { at = "" }: DocumentEntry) =>
  partsOf(entries, of, () => refuse(at, `its ${of} is cut off`));

/** The bytes of a file that follows in parts. @param drop called with the bytes of each line once it is read */
const fileStream = (
  entries: Entries,
  document: DocumentEntry,
  drop: (bytes: number) => void,
): ReadableStream<Uint8Array> => {
  const parts = partsFor(entries, "file", document);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { value, done } = await parts.next();
          if (done === true) return controller.close();
          drop(value.bytes);
          if (!isBase64.test(value.data)) throw refuse(document.at ?? "", "its file is not in Base64");
          if (value.data !== "") return controller.enqueue(new Uint8Array(Buffer.from(value.data, "base64")));
        }
      },
    },
    { highWaterMark: 0 },
  );
};

/** A document of an export that is not in the store yet, with all that belongs to it. */
export interface StagedDocument {
  /** Its id in the export. */
  exportedId: string;
  /** The record that is stored, without what the analysis of its text adds. */
  document: DocumentRecord;
  /** Its room in the quotas. */
  reserved: Reservation[];
  /** The text that is searched, with its pages; null if there is none. */
  found: TextToAnalyze | null;
  /** A text that waits to be processed. */
  pendingText: string | null;
  /** What it holds in memory: counted in `held` until it is stored. */
  bytes: number;
}

/** Reads what follows a document that is here already, and forgets it. */
const skipParts = async (entry: DocumentEntry, entries: Entries, run: ImportRun): Promise<void> => {
  for (const member of entry.follows)
    for await (const { bytes } of partsFor(entries, member, entry)) run.held.drop(bytes);
};

/** @returns null where there is no room, which is noted */
const reserve = async (run: ImportRun, documents: number, bytes: number, at: string): Promise<Reservation | null> => {
  try {
    const reservation = await run.work.quotas.reserve(run.tenant, { documents, bytes }, "and the operator");
    run.reserved.add(reservation);
    return reservation;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "quota_reached") throw error;
    run.leaveOut("documents", error.code, error.message, at);
    return null;
  }
};

const giveBack = (run: ImportRun, reservation: Reservation): void => {
  reservation.settle(false);
  run.reserved.delete(reservation);
};

const bytesOf = (texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0);

/**
 * Reads the parts of a document, stores its file, and makes its record.
 * @returns null where the organization has the document already, which stays as it is, and where it has no room for it
 */
export const stageDocument = async (
  run: ImportRun,
  entry: DocumentEntry & { bytes: number },
  entries: Entries,
): Promise<StagedDocument | null> => {
  const { record, follows, at = "" } = entry;
  const { store, pipeline } = run.work;
  const { id, present } = await run.identities.document(record.id);
  if (present !== null || run.begun.has(id)) {
    run.count("documents", present === null || present.updatedAt === Date.parse(record.updatedAt) ? "present" : "kept");
    if (typeof present?.blobHash === "string") run.ownFiles.add(present.blobHash);
    await skipParts(entry, entries, run);
    run.held.drop(entry.bytes);
    return null;
  }
  const sent = bytesOf([record.text, record.pendingText]);
  const room = await reserve(run, 1, sent, at);
  if (room === null) {
    if (record.file !== null) run.leftFiles.add(record.file);
    await skipParts(entry, entries, run);
    run.held.drop(entry.bytes);
    return null;
  }
  run.begun.add(id);
  let held = entry.bytes;
  const texts = { text: record.text, pendingText: record.pendingText };
  let fileBytes = 0;
  for (const member of follows) {
    if (member === "file") {
      fileBytes = await stageFile(run, entry, entries);
      continue;
    }
    const pieces: string[] = [];
    let length = 0;
    for await (const { data, bytes } of partsFor(entries, member, entry)) {
      held += bytes;
      length += data.length;
      if (length > run.maxDocumentBytes) throw refuse(at, `its ${member} is longer than ingest.maxDocumentBytes`);
      pieces.push(data);
    }
    texts[member] = pieces.join("");
  }
  if (record.file !== null && !follows.includes("file")) {
    // Sent with an earlier document of the same file, which holds it now; it must not go while this one is stored.
    if (run.leftFiles.has(record.file) && !run.ownFiles.has(record.file)) {
      run.leaveOut("documents", "file_left_out", "Their file came with a document that was left out.", at);
      giveBack(run, room);
      run.held.drop(held);
      return null;
    }
    const isOwn = run.ownFiles.has(record.file) || (await store.documents.getByFile(run.tenant, record.file)) !== null;
    if (!isOwn || !(await store.blobs.hold(record.file))) throw refuse(at, "its file was not sent");
    run.files.push(record.file);
  }
  const more = bytesOf([texts.text, texts.pendingText]) - sent + fileBytes;
  const roomForMore = more > 0 ? await reserve(run, 0, more, at) : null;
  if (more > 0 && roomForMore === null) {
    giveBack(run, room); // the file is released at the end
    run.held.drop(held);
    return null;
  }
  for (const text of [texts.text, texts.pendingText]) if (text !== null) pipeline.checkText(text);
  const partition =
    record.partitionId === null
      ? null
      : await run.identities.partition(record.partitionId, record.partition, Date.parse(record.createdAt));
  if (partition?.isNew) run.count("partitions", "added");
  const document = importedRecord(
    { ...record, ...texts },
    {
      id,
      organizationId: run.tenant.organizationId,
      partitionId: partition?.id ?? null,
    },
  );
  const hasText = texts.text !== null && texts.text.trim() !== "";
  return {
    exportedId: record.id,
    document,
    reserved: [room, ...(roomForMore === null ? [] : [roomForMore])],
    found: hasText ? { text: texts.text ?? "", pages: record.pages, name: record.name } : null,
    pendingText: texts.pendingText,
    bytes: held,
  };
};

/** @returns its bytes */
const stageFile = async (run: ImportRun, entry: DocumentEntry, entries: Entries): Promise<number> => {
  const { blobs } = run.work.store;
  const { hash, bytes } = await blobs.put(
    fileStream(entries, entry, (bytes) => run.held.drop(bytes)),
    run.maxDocumentBytes,
  );
  run.files.push(hash);
  run.ownFiles.add(hash);
  if (hash !== entry.record.file) throw refuse(entry.at ?? "", "its file has another SHA-256 than the record says");
  return bytes;
};
