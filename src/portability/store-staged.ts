import { ApiError } from "../domain/errors.ts";
import type { DocumentRecord } from "../domain/records.ts";
import type { TextToAnalyze } from "../ingest/index/analyzed-text.ts";
import { prepareDocument, prepareTexts } from "../ingest/prepare/prepare-document.ts";
import { IdTakenError } from "../store/contract/documents.ts";
import type { ImportRun } from "./import-run.ts";
import type { StagedDocument } from "./stage-document.ts";

/** The document took the file: its hold is not released at the end. */
const takesFile = (run: ImportRun, { blobHash }: DocumentRecord): void => {
  const at = blobHash === null ? -1 : run.files.indexOf(blobHash);
  if (at >= 0) run.files.splice(at, 1);
};

/** Another organization may take the ids again and again; more often than this nobody does without meaning to. */
const maxPlaces = 8;

/** Stores documents; where another organization takes the id of one meanwhile, under the ids that they get then. */
const placeAgainWhileTaken = async (
  run: ImportRun,
  staged: readonly StagedDocument[],
  store: (documents: DocumentRecord[]) => Promise<void>,
): Promise<void> => {
  for (let places = 1; ; places += 1) {
    try {
      return await store(staged.map(({ document }) => document));
    } catch (error) {
      if (!(error instanceof IdTakenError) || places === maxPlaces) throw error;
    }
    for (const one of staged)
      one.document = { ...one.document, id: (await run.identities.document(one.exportedId)).id };
  }
};

/** Stores small documents that name no file, all at once; searches find them when it returns. */
export const storeSmall = async (run: ImportRun, staged: readonly StagedDocument[]): Promise<void> => {
  const { work, tenant, signal } = run;
  try {
    const texts = staged.map(({ found }) => found as TextToAnalyze);
    const indexed = await prepareTexts(work, { tenant, urgency: "background", signal }, texts);
    signal.throwIfAborted();
    await placeAgainWhileTaken(run, staged, async (documents) => {
      await work.pipeline.publishNew(documents, indexed, signal, true);
    });
    for (const one of staged) await settle(run, one);
  } catch (error) {
    if (signal.aborted || !isOfText(error)) throw error;
    for (const one of staged) await storeAlone(run, one); // one of them is the cause
  }
};

/** Stores one document: what can be searched at once is, the rest waits to be processed or is failed as it was. */
export const storeAlone = async (run: ImportRun, staged: StagedDocument): Promise<void> => {
  const { work, tenant, signal } = run;
  const { found, pendingText } = staged;
  const { document } = staged;
  if (found === null) return await storeWithoutText(run, staged, document, pendingText);
  try {
    const options = { tenant, urgency: "background", characters: found.text.length, signal } as const;
    const steps = await prepareDocument(work, options);
    try {
      const { warnings, mimeType } = document;
      const read = { ...found, title: null, fileName: null, mimeType, warnings, blobHash: null, putsBlob: false };
      const indexed = await steps.index(read, document.name);
      signal.throwIfAborted();
      await placeAgainWhileTaken(run, [staged], async (documents) => {
        await work.pipeline.publishNew(documents, [indexed], signal, true);
      });
    } finally {
      await steps.end();
    }
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
  staged: StagedDocument,
  document: DocumentRecord,
  text: string | null,
): Promise<void> => {
  const { store, ingest } = run.work;
  staged.document = document;
  await placeAgainWhileTaken(run, [staged], async () => await store.documents.add(staged.document, text));
  const { id, organizationId, status } = staged.document;
  if (status === "pending") ingest.enqueue({ id, organizationId });
  noteStored(run, staged);
};

const noteStored = (run: ImportRun, { document, reserved, bytes }: StagedDocument): void => {
  takesFile(run, document);
  for (const reservation of reserved) {
    reservation.settle(true);
    run.reserved.delete(reservation);
  }
  run.count("documents", "added");
  run.held.drop(bytes);
};

/**
 * Ends the import of a published document: if it was to be processed again, or had failed meanwhile, that is stored
 * too.
 */
const settle = async (run: ImportRun, staged: StagedDocument): Promise<void> => {
  const { store, ingest } = run.work;
  const { document, pendingText } = staged;
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
  noteStored(run, staged);
};
