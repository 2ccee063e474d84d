import { ApiError } from "../domain/errors.ts";
import type { DocumentRecord } from "../domain/records.ts";
import type { TextToAnalyze } from "../ingest/index/analyzed-text.ts";
import { prepareDocument } from "../ingest/prepare/prepare-document.ts";
import { prepareTexts } from "../ingest/prepare/prepare-texts.ts";
import type { ImportRun } from "./import-run.ts";
import type { StagedDocument } from "./stage-document.ts";

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

/** The error concerns this text alone: other texts can be indexed. */
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

/**
 * Ends the import of a published document: if it was to be processed again, or had failed meanwhile, that is stored
 * too.
 */
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
