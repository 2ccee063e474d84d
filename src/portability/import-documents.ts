import { ApiError } from "../domain/errors.ts";
import { externalIdOf } from "../domain/external-id.ts";
import type { DocumentRecord } from "../domain/records.ts";
import type { TextToAnalyze } from "../ingest/index/analyzed-text.ts";
import { prepareDocument } from "../ingest/prepare/prepare-document.ts";
import { prepareTexts } from "../ingest/prepare/prepare-texts.ts";
import type { DocumentEntry } from "./entry.ts";
import type { ImportRun } from "./import-run.ts";
import { refuse, type TakenEntry } from "./read-entries.ts";
import { fileStream, readTextParts } from "./read-parts.ts";

/** A document of an export that is not in the store yet, with all that belongs to it. */
export interface StagedDocument {
  /** As it will be, but for what the analysis of its text adds. */
  document: DocumentRecord;
  /** Its text that is searched, with its pages; null where it has none. */
  found: TextToAnalyze | null;
  /** A text that waits to be processed. */
  pendingText: string | null;
  /** What it holds in memory: counted in `held` until it is stored. */
  bytes: number;
}

const textIsLost = "Its text was missing in the export: ingest it again.";

/** Reads what follows a document that is here already, and forgets it. */
const skipParts = async (
  entry: DocumentEntry,
  entries: AsyncIterator<TakenEntry, void>,
  run: ImportRun,
): Promise<void> => {
  for (const of of entry.follows) await readTextParts(entries, of, entry, (_, bytes) => run.held.drop(bytes));
};

/** What it is processed as: a document that has neither a text nor something to read it from is failed. */
const statusOf = ({ record }: DocumentEntry, pendingText: string | null): Pick<DocumentRecord, "status" | "error"> => {
  if (record.status !== "processed" || record.text !== null) return { status: record.status, error: record.error };
  const canBeRead = pendingText !== null || record.file !== null || record.originalUrl !== null;
  return canBeRead ? { status: "pending", error: null } : { status: "failed", error: textIsLost };
};

/**
 * Reads the parts of a document, stores its file, and makes its record.
 * @returns null where the organization has the document already: it stays as it is
 */
export const stageDocument = async (
  run: ImportRun,
  entry: DocumentEntry & { bytes: number },
  entries: AsyncIterator<TakenEntry, void>,
): Promise<StagedDocument | null> => {
  const { record, follows, at = "" } = entry;
  const { store, pipeline } = run.work;
  const { id, present } = await run.identities.document(record.id);
  if (present !== null || run.begun.has(id)) {
    run.count("documents", present === null || present.updatedAt === Date.parse(record.updatedAt) ? "present" : "kept");
    await skipParts(entry, entries, run);
    run.held.drop(entry.bytes);
    return null;
  }
  run.begun.add(id);
  const staged = { bytes: entry.bytes };
  const texts = { text: record.text, pendingText: record.pendingText };
  for (const of of follows) {
    if (of === "file") {
      await stageFile(run, entry, entries);
      continue;
    }
    const parts: string[] = [];
    let length = 0;
    await readTextParts(entries, of, entry, (data, bytes) => {
      staged.bytes += bytes;
      length += data.length;
      if (length > run.maxDocumentBytes) throw refuse(at, `its ${of} is longer than ingest.maxDocumentBytes`);
      parts.push(data);
    });
    texts[of] = parts.join("");
  }
  if (record.file !== null && !follows.includes("file")) {
    // Sent with an earlier document of the same file, which holds it now.
    const isHere = (await store.blobs.open(record.file)) !== null;
    if (!isHere) throw refuse(at, "its file was not sent");
    await takeFileAgain(run, record.file);
  }
  for (const text of [texts.text, texts.pendingText]) if (text !== null) pipeline.checkText(text);
  const partition =
    record.partitionId === null
      ? null
      : await run.identities.partition(record.partitionId, record.partition, Date.parse(record.createdAt));
  if (partition?.isNew) run.count("partitions", "added");
  const document: DocumentRecord = {
    id,
    organizationId: run.tenant.organizationId,
    partitionId: partition?.id ?? null,
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
    ...statusOf({ ...entry, record: { ...record, ...texts } }, texts.pendingText),
    errorReason: record.errorReason,
    warnings: record.warnings,
    revision: null,
    textHash: null,
    blobHash: record.file,
    attempts: 0,
    nextAttemptAt: null,
    begun: 0,
    progress: { pages: 0, chunks: 0, embedded: 0 },
  };
  const hasText = texts.text !== null && texts.text.trim() !== "";
  return {
    document,
    found: hasText ? { text: texts.text ?? "", pages: record.pages, name: record.name } : null,
    pendingText: texts.pendingText,
    bytes: staged.bytes,
  };
};

const stageFile = async (
  run: ImportRun,
  entry: DocumentEntry,
  entries: AsyncIterator<TakenEntry, void>,
): Promise<void> => {
  const { blobs } = run.work.store;
  const { hash } = await blobs.put(
    fileStream(entries, entry, (bytes) => run.held.drop(bytes)),
    run.maxDocumentBytes,
  );
  run.files.push(hash);
  if (hash !== entry.record.file) throw refuse(entry.at ?? "", "its file has another SHA-256 than the record says");
};

/** Another hold of a file that is stored: it must not go while this document is being stored. */
const takeFileAgain = async (run: ImportRun, hash: string): Promise<void> => {
  const opened = await run.work.store.blobs.open(hash);
  if (opened === null) return;
  await run.work.store.blobs.put(opened.stream, run.maxDocumentBytes, opened.bytes);
  run.files.push(hash);
};

/** The document took the file: its hold is not released at the end. */
const takesFile = (run: ImportRun, { blobHash }: DocumentRecord): void => {
  const at = blobHash === null ? -1 : run.files.indexOf(blobHash);
  if (at >= 0) run.files.splice(at, 1);
};

/** Stores small documents that name no file, all at once; searches find them when it returns. */
export const storeSmall = async (run: ImportRun, staged: readonly StagedDocument[]): Promise<void> => {
  const { work, tenant, signal } = run;
  try {
    const texts = staged.map(({ found }) => found as TextToAnalyze);
    const indexed = await prepareTexts(work, { tenant, urgency: "background", signal }, texts);
    signal.throwIfAborted();
    const documents = staged.map(({ document }) => document);
    await work.pipeline.publishImported(documents, indexed, signal);
    for (const one of staged) await settle(run, one);
  } catch (error) {
    if (signal.aborted || !isOfText(error)) throw error;
    for (const one of staged) await storeAlone(run, one); // one of them is the cause
  }
};

/** Stores one document: what can be searched at once is, the rest waits to be processed or is failed as it was. */
export const storeAlone = async (run: ImportRun, staged: StagedDocument): Promise<void> => {
  const { work, tenant, signal } = run;
  const { document, found, pendingText } = staged;
  if (found === null) return await storeWithoutText(run, staged, document, pendingText);
  try {
    const options = { tenant, urgency: "background", characters: found.text.length, signal } as const;
    await prepareDocument(work, options, async ({ index }) => {
      const { warnings, mimeType } = document;
      const read = { ...found, title: null, fileName: null, mimeType, warnings, blobHash: null, putsBlob: false };
      const indexed = await index(read, document.name);
      signal.throwIfAborted();
      await work.pipeline.publishImported([document], [indexed], signal);
    });
  } catch (error) {
    if (signal.aborted || !isOfText(error)) throw error;
    const failed = { ...document, status: "failed" as const, error: (error as ApiError).message };
    return await storeWithoutText(run, staged, failed, found.text);
  }
  await settle(run, staged);
};

/** The text itself cannot be indexed: the others can. */
const isOfText = (error: unknown): boolean => error instanceof ApiError && error.code === "unreadable_file";

const storeWithoutText = async (
  run: ImportRun,
  { bytes }: StagedDocument,
  document: DocumentRecord,
  text: string | null,
): Promise<void> => {
  const { store, ingest } = run.work;
  await store.documents.add(document, text);
  takesFile(run, document);
  if (document.status === "pending") ingest.enqueue({ id: document.id, organizationId: document.organizationId });
  run.count("documents", "added");
  run.held.drop(bytes);
};

/** After a document is published: one that was to be processed again, or had failed meanwhile, is so again. */
const settle = async (run: ImportRun, { document, pendingText, bytes }: StagedDocument): Promise<void> => {
  const { store, ingest } = run.work;
  takesFile(run, document);
  if (document.status !== "processed") {
    const { status, error, errorReason, updatedAt } = document;
    await store.documents.patch(
      run.tenant,
      document.id,
      { status, error, errorReason, updatedAt },
      pendingText ?? undefined,
    );
    if (status === "pending") ingest.enqueue({ id: document.id, organizationId: document.organizationId });
  }
  run.count("documents", "added");
  run.held.drop(bytes);
};
