import { ApiError } from "../../domain/errors.ts";
import { type DocumentRecord, isUnfinished, type Tenant } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import type { Store } from "../../store/contract.ts";
import { hashText } from "../index/analyzed-text.ts";
import type { IndexedText } from "../index/index-text.ts";
import type { OnProgress } from "../prepare/contract.ts";
import { type PreparationDependencies, prepareDocument } from "../prepare/prepare-document.ts";
import { replaceDocument } from "../prepare/replace-document.ts";
import { nameOfSource, provisionalName, type ReadText, storedSource, withProperties } from "../prepare/source.ts";
import type { Waiting } from "./backlog.ts";
import { keepText, maxAttempts, putBack, type SettleDependencies, settleFailure } from "./settle-document.ts";

/** A document that was started this often, and cut off by the end of the server each time, is failed. */
export const maxStarts = 3;

export interface ProcessDependencies extends Omit<PreparationDependencies, "store">, SettleDependencies {}

/**
 * Processes one waiting document in its turn. Never throws.
 * @param onStart called when the turn has come
 * @returns the pause in milliseconds before the next attempt; null where there is nothing more to do
 */
export const processDocument = async (
  deps: ProcessDependencies,
  { id, organizationId, accepted }: Waiting,
  signal: AbortSignal,
  onStart: () => void,
): Promise<number | null> => {
  const { store, pipeline, notify } = deps;
  const tenant: Tenant = { organizationId, partitionId: null };
  const mark = createProcessingMark(deps, tenant, id);
  const onProgress: OnProgress = (progress, reading) =>
    notify(id, { status: "processing", error: null, errorReason: null, progress, reading });
  let attempts = 0;
  try {
    const options = { tenant, urgency: "background", characters: 0, signal, onProgress } as const;
    const steps = await prepareDocument(deps, options);
    try {
      onStart();
      const record = accepted?.document ?? (await store.documents.get(tenant, id));
      if (record === null || !isUnfinished(record)) return null;
      attempts = record.attempts;
      checkAttempts(record);
      onProgress({ pages: 0, chunks: 0, embedded: 0 }, null);
      const source = await storedSource(store, record, accepted?.text);
      const isHarmless = record.begun === 0 && source.kind === "text" && pipeline.sizeOf(source) === "small";
      if (isHarmless) mark.setSoon(record.begun + 1);
      else await mark.set(record.begun + 1);

      const read = await steps.read(source);
      if (record.sourceKind !== "text" && record.textHash === hashText(read.text)) {
        await mark.settled();
        if (await keepText(deps, tenant, id, read, signal)) {
          steps.keepBlob();
          return null;
        }
      }
      const indexed = await steps.index(read, record.name);
      await mark.settled();
      const isPendingText = source.kind === "text" && source.text === read.text;
      if (await publish(deps, { tenant, documentId: id, indexed, isPendingText, signal }, read)) steps.keepBlob();
      return null;
    } finally {
      await steps.end();
    }
  } catch (error) {
    await mark.settled();
    if (!signal.aborted) return await settleFailure(deps, tenant, id, attempts, error);
    if (mark.isSet) await putBack(deps, tenant, id);
    return null;
  }
};

/** A document that kills the server, or makes an operator kill it, is not processed forever. */
const checkAttempts = ({ begun, attempts }: DocumentRecord): void => {
  if (begun >= maxStarts) {
    throw new ApiError(
      "internal",
      `The server ended ${maxStarts} times while it processed this document. It is not processed again unless asked.`,
    );
  }
  if (attempts >= maxAttempts) throw new ApiError("internal", "Its processing failed too many times.");
};

/** @returns whether the document took the blob that the reading stored; false too where the document is gone */
const publish = async (
  deps: ProcessDependencies,
  replacement: {
    tenant: Tenant;
    documentId: string;
    indexed: IndexedText;
    isPendingText: boolean;
    signal: AbortSignal;
  },
  read: ReadText,
): Promise<boolean> =>
  deps.lock(replacement.documentId, async () => {
    replacement.signal.throwIfAborted();
    const replaced = await replaceDocument(deps, replacement, (current) => ({
      ...current,
      name: nameAfterReading(current, read),
      mimeType: read.mimeType ?? current.mimeType,
      metadata: withProperties(current.metadata, read),
      warnings: read.warnings,
      blobHash: read.blobHash,
    }));
    return replaced !== null && read.blobHash !== replaced.previous.blobHash;
  });

const nameAfterReading = (document: DocumentRecord, { title, fileName }: ReadText): string => {
  const isProvisional = document.sourceKind !== "text" && document.name === provisionalName(document, null);
  if (!isProvisional) return document.name;
  // The name of an uploaded file is its document's name already.
  return nameOfSource(document, { title, fileName: document.sourceKind === "file" ? null : fileName });
};

/** Most texts take less time than a client needs to look: they are marked only when they take longer than this. */
const markAfterMs = 200;

/** Writes into the store that the processing of a document has begun. */
interface ProcessingMark {
  readonly isSet: boolean;
  /** Resolves when it is stored: only then may anything be done that could end the server. */
  set(begun: number): Promise<void>;
  /** Sets it only where the processing takes longer than a moment. */
  setSoon(begun: number): void;
  /** Resolves when nothing is being written any more; a mark that was due soon is not written then. */
  settled(): Promise<void>;
}

const createProcessingMark = (
  { store, log }: { store: Pick<Store, "documents">; log: Logger },
  tenant: Tenant,
  documentId: string,
): ProcessingMark => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<unknown> | null = null;
  const write = (begun: number) =>
    store.documents.patch(tenant, documentId, { status: "processing", begun, updatedAt: Date.now() });
  return {
    get isSet() {
      return writing !== null;
    },
    async set(begun) {
      const written = write(begun);
      writing = written.catch(() => undefined);
      await written;
    },
    setSoon(begun) {
      timer = setTimeout(() => {
        writing = write(begun).catch((error) =>
          log.warn({ error, documentId }, "a document could not be marked as processing"),
        );
      }, markAfterMs);
    },
    async settled() {
      clearTimeout(timer);
      await writing;
    },
  };
};
