import type { KeyedMutex } from "../../async/keyed-mutex.ts";
import { ApiError } from "../../domain/errors.ts";
import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import { isScanned } from "../../domain/scanned-page.ts";
import type { Logger } from "../../log.ts";
import { toApiError } from "../../models/api-error.ts";
import type { Store } from "../../store/contract.ts";
import { hashText } from "../index/analyzed-text.ts";
import type { IndexedText } from "../index/index-text.ts";
import { nameOfSource, provisionalName } from "../names.ts";
import type { IngestPipeline } from "../pipeline.ts";
import type { ReadText, Source } from "../read-source.ts";
import type { Waiting } from "./backlog.ts";
import { type DocumentTurn, type TurnsOfDocuments, takeDocumentTurn } from "./document-turn.ts";
import { MOST_ATTEMPTS, pauseBeforeRetry } from "./retry.ts";
import type { IngestState } from "./watchers.ts";

/** A text is mostly done before it could be looked at: it is marked `processing` only when it takes longer. */
const MARK_AFTER_MS = 200;
/** A document whose processing was begun so often, and each time cut off by the end of the server, is failed. */
export const MOST_BEGUN = 3;
/** The last attempt is made by a server that has run for so long: one that is killed again and again is not the document's fault. */
const LAST_ATTEMPT_AFTER_MS = 5_000;
/** Where even the failure cannot be written down. */
const STORE_PAUSE_MS = 30_000;

/** Reasons for which a running job is called off. */
export const CLOSING = "closing";
export const SUPERSEDED = "superseded";

export interface JobDependencies extends TurnsOfDocuments {
  store: Store;
  pipeline: IngestPipeline;
  /** Serialises what is written under one document. */
  lock: KeyedMutex;
  /** Held by one at a time of the documents whose processing was cut off before: see `runJob`. */
  suspects: KeyedMutex;
  /** When the work on documents began (`performance.now()`). */
  startedAt: number;
  tell(documentId: string, state: IngestState): void;
  log: Logger;
}

export const isUnfinished = ({ status }: DocumentRecord): boolean => status === "pending" || status === "processing";

/**
 * Processes one waiting document to its end: published, failed with its reason, or put back. Documents that were being
 * processed when the server came to its end are processed one after another, so that one that brings it down again is
 * not counted against the others.
 * @param onStart told when its turn has come
 * @returns the pause in milliseconds after which it is to be tried again; null where there is nothing more to do
 */
export const runJob = async (
  deps: JobDependencies,
  waiting: Waiting,
  signal: AbortSignal,
  onStart: () => void,
): Promise<number | null> => {
  const { id, organizationId, accepted } = waiting;
  const run = () => processDocument(deps, waiting, signal, onStart);
  if (accepted !== undefined) return await run();
  const known = await deps.store.documents.get({ organizationId, partitionId: null }, id).catch(() => null);
  if (known === null || known.begun === 0) return await run();
  const notBefore = known.begun < MOST_BEGUN - 1 ? 0 : deps.startedAt + LAST_ATTEMPT_AFTER_MS;
  return await inSuspectsTurn(deps.suspects, notBefore - performance.now(), signal, run);
};

/** @returns null at once where the job is called off while it waits */
const inSuspectsTurn = async (
  suspects: KeyedMutex,
  pauseMs: number,
  signal: AbortSignal,
  run: () => Promise<number | null>,
): Promise<number | null> => {
  const calledOff = Promise.withResolvers<null>();
  const leave = () => calledOff.resolve(null);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  const rested = Promise.withResolvers<void>();
  const timer = setTimeout(rested.resolve, Math.max(0, pauseMs));
  const turn = rested.promise.then(() =>
    suspects("suspect", async () => {
      signal.removeEventListener("abort", leave); // from here on the job sees to it itself
      return signal.aborted ? null : await run();
    }),
  );
  return await Promise.race([turn, calledOff.promise]).finally(() => clearTimeout(timer));
};

const processDocument = async (
  deps: JobDependencies,
  { id, organizationId, accepted }: Waiting,
  signal: AbortSignal,
  onStart: () => void,
): Promise<number | null> => {
  const tenant: Tenant = { organizationId, partitionId: null };
  const mark = createMark(deps, tenant, id);
  let turn: DocumentTurn | null = null;
  let record: DocumentRecord | null = null;
  let read: ReadText | null = null;
  try {
    turn = await takeDocumentTurn(deps, organizationId, "background", 0, signal);
    onStart();
    record = accepted?.document ?? (await deps.store.documents.get(tenant, id));
    if (record === null || !isUnfinished(record)) return null;
    // What brings the server down, or makes somebody kill it, must not do so for ever.
    if (record.begun >= MOST_BEGUN) throw new ApiError("internal", cutOffReason);
    if (record.attempts >= MOST_ATTEMPTS) throw new ApiError("internal", "Its processing failed too many times.");
    const report = (progress: IngestState["progress"]) =>
      deps.tell(id, { status: "processing", error: null, errorReason: null, progress });
    report({ pages: 0, chunks: 0, embedded: 0 });
    const source = accepted === undefined ? await sourceOf(deps.store, record) : textSource(accepted.text);
    const isHarmless = record.begun === 0 && source.kind === "text" && deps.pipeline.isQuick({ text: source.text });
    if (isHarmless) mark.setSoon(record.begun + 1);
    else await mark.set(record.begun + 1);

    read = await deps.pipeline.read(source, signal, report);
    if (record.sourceKind !== "text" && record.textHash === hashText(read.text)) {
      await mark.settled();
      if (await keepText(deps, tenant, id, read, signal)) return null;
    }
    await turn.beforeIndexing(read);
    const toIndex = { text: read.text, pages: read.pages, name: record.name };
    const indexed = await deps.pipeline.index(toIndex, signal, {
      onProgress: report,
      owner: { tenant, document: record },
      isPatient: true,
    });
    turn.beforePublishing(indexed);
    await mark.settled();
    const textWaits = source.kind === "text" && source.text === read.text;
    if (!(await publish(deps, tenant, id, read, indexed, textWaits, signal))) await releaseOwn(deps, read);
    return null;
  } catch (error) {
    await mark.settled();
    if (read !== null) await releaseOwn(deps, read);
    if (signal.aborted) {
      if (mark.isSet) await putBack(deps, tenant, id);
      return null;
    }
    return await settleFailure(deps, tenant, id, record?.attempts ?? 0, error);
  } finally {
    turn?.end();
  }
};

const cutOffReason = `The server came to its end ${MOST_BEGUN} times while it processed this document: it is not tried again by itself.`;

/** Writes down that the processing has begun. */
const createMark = ({ store, log }: JobDependencies, tenant: Tenant, id: string) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<unknown> | null = null;
  const write = (begun: number) =>
    store.documents.patch(tenant, id, { status: "processing", begun, updatedAt: Date.now() });
  return {
    get isSet() {
      return writing !== null;
    },
    /** Resolves when it is stored: before that nothing is to be done that may end the server. */
    async set(begun: number) {
      const written = write(begun);
      writing = written.catch(() => undefined);
      await written;
    },
    /** Only where it takes longer than a moment. */
    setSoon(begun: number) {
      timer = setTimeout(() => {
        writing = write(begun).catch((error) =>
          log.warn({ error, documentId: id }, "a document could not be marked as processing"),
        );
      }, MARK_AFTER_MS);
    },
    async settled() {
      clearTimeout(timer);
      await writing;
    },
  };
};

const sourceOf = async (store: Store, record: DocumentRecord): Promise<Source> => {
  const { sourceKind, originalUrl, blobHash, declaredMimeType } = record;
  if (sourceKind === "website" && originalUrl !== null) {
    return { kind: "website", url: originalUrl, scanned: isScanned(record) };
  }
  if (sourceKind === "url" && originalUrl !== null) return { kind: "url", url: originalUrl, declaredMimeType };
  if (sourceKind === "file" && blobHash !== null) {
    return { kind: "file", blobHash, fileName: record.name, declaredMimeType };
  }
  const text = await store.documents.getPendingText(record);
  if (text === null) throw new ApiError("no_text", "The document's text is gone. Ingest it again.");
  return textSource(text);
};

const textSource = (text: string): Source => ({ kind: "text", text });

/**
 * Ends the work on a document whose source turned out to hold the text that it has already: nothing is embedded.
 * @returns false where the document has another text by now, or is gone
 */
const keepText = async (
  deps: JobDependencies,
  tenant: Tenant,
  id: string,
  read: ReadText,
  signal: AbortSignal,
): Promise<boolean> => {
  const { store, lock, tell } = deps;
  return await lock(id, async () => {
    signal.throwIfAborted();
    const current = await store.documents.get(tenant, id);
    if (current === null || current.revision === null || current.textHash !== hashText(read.text)) return false;
    const view = store.openSnippets();
    const scope = { documentId: id, partitionId: null, metadata: null };
    const { snippets: chunks } = await view.count(tenant, scope).finally(() => view.close());
    const kept = await store.documents.patch(tenant, id, {
      status: "processed",
      error: null,
      attempts: 0,
      nextAttemptAt: null,
      begun: 0,
      updatedAt: Date.now(),
      mimeType: read.mimeType ?? current.mimeType,
      warnings: read.warnings,
      ...(read.putsBlob ? { blobHash: read.blobHash } : {}),
      progress: { pages: read.pages.length, chunks, embedded: chunks },
    });
    if (kept !== null) tell(id, kept);
    return kept !== null;
  });
};

/** @returns whether the document took the file that the reading put; false too where the document is gone */
const publish = async (
  { store, pipeline, lock, tell }: JobDependencies,
  tenant: Tenant,
  id: string,
  read: ReadText,
  indexed: IndexedText,
  textWaits: boolean,
  signal: AbortSignal,
): Promise<boolean> =>
  lock(id, async () => {
    signal.throwIfAborted();
    // Read again: name, metadata or partition may have changed meanwhile, or the document may be gone.
    const current = await store.documents.get(tenant, id);
    if (current === null) return false;
    const isProvisional = current.sourceKind !== "text" && current.name === provisionalName(current, null);
    // What a waiting upload calls itself is its document's name already.
    const fileName = current.sourceKind === "file" ? null : read.fileName;
    const published = await pipeline.publish(
      {
        ...current,
        name: isProvisional ? nameOfSource(current, { title: read.title, fileName }) : current.name,
        mimeType: read.mimeType ?? current.mimeType,
        warnings: read.warnings,
        blobHash: read.blobHash,
      },
      indexed,
      signal,
      textWaits,
    );
    tell(id, published);
    return read.blobHash !== current.blobHash;
  });

const putBack = async ({ store, log }: JobDependencies, tenant: Tenant, id: string): Promise<void> => {
  await store.documents
    .patch(tenant, id, { status: "pending", begun: 0 })
    .catch((error) => log.warn({ error, documentId: id }, "a document could not be put back into the queue"));
};

const releaseOwn = async ({ store, log }: JobDependencies, { putsBlob, blobHash }: ReadText): Promise<void> => {
  if (!putsBlob || blobHash === null) return;
  await store.blobs
    .release(blobHash)
    .catch((error) => log.warn({ error }, "a file that is not needed could not be removed"));
};

const settleFailure = async (
  { store, tell, log }: JobDependencies,
  tenant: Tenant,
  id: string,
  attempts: number,
  error: unknown,
): Promise<number | null> => {
  const pauseMs = pauseBeforeRetry(error, attempts, Math.random());
  const { code, message, reason } = toApiError(error);
  const fields = { documentId: id, code, attempts: attempts + 1, pauseMs, ...(code === "internal" ? { error } : {}) };
  log[code === "internal" ? "error" : "warn"](fields, `a document was not ingested: ${reason ?? message}`);
  const now = Date.now();
  try {
    const patched = await store.documents.patch(tenant, id, {
      status: pauseMs === null ? "failed" : "pending",
      error: pauseMs === null ? message : null,
      errorReason: pauseMs === null ? reason : null,
      attempts: attempts + 1,
      nextAttemptAt: pauseMs === null ? null : now + pauseMs,
      begun: 0,
      updatedAt: now,
    });
    if (patched !== null) tell(id, patched);
    return patched === null ? null : pauseMs;
  } catch (failure) {
    log.error({ error: failure, documentId: id }, "a failed document could not be written down");
    return STORE_PAUSE_MS;
  }
};
