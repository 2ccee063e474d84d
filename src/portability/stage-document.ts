import type { DocumentRecord } from "../domain/records.ts";
import type { TextToAnalyze } from "../ingest/index/analyzed-text.ts";
import type { DocumentEntry } from "./entry.ts";
import type { ImportRun } from "./import-run.ts";
import { importedRecord } from "./imported-record.ts";
import { refuse, type TakenEntry } from "./read-entries.ts";
import { fileStream, readTextParts } from "./read-parts.ts";

/** A document of an export that is not in the store yet, with all that belongs to it. */
export interface StagedDocument {
  /** The record that is stored, without what the analysis of its text adds. */
  document: DocumentRecord;
  /** The text that is searched, with its pages; null if there is none. */
  found: TextToAnalyze | null;
  /** A text that waits to be processed. */
  pendingText: string | null;
  /** What it holds in memory: counted in `held` until it is stored. */
  bytes: number;
}

/** Reads what follows a document that is here already, and forgets it. */
const skipParts = async (
  entry: DocumentEntry,
  entries: AsyncIterator<TakenEntry, void>,
  run: ImportRun,
): Promise<void> => {
  for (const of of entry.follows) await readTextParts(entries, of, entry, (_, bytes) => run.held.drop(bytes));
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
    if (typeof present?.blobHash === "string") run.ownFiles.add(present.blobHash);
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
    // Sent with an earlier document of the same file, which holds it now; it must not go while this one is stored.
    const isOwn = run.ownFiles.has(record.file) || (await store.documents.getByFile(run.tenant, record.file)) !== null;
    if (!isOwn || !(await store.blobs.hold(record.file))) throw refuse(at, "its file was not sent");
    run.files.push(record.file);
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
  run.ownFiles.add(hash);
  if (hash !== entry.record.file) throw refuse(entry.at ?? "", "its file has another SHA-256 than the record says");
};
