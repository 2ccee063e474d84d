import type { Tenant } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import type { Store } from "../../store/contract.ts";
import type { TextToAnalyze, Urgency } from "../index/analyzed-text.ts";
import type { IndexedText } from "../index/index-text.ts";
import type { IngestPipeline, OnProgress } from "./contract.ts";
import { type DocumentTurns, takeDocumentTurn } from "./document-turn.ts";
import type { ReadText, Source } from "./source.ts";

/** What preparing a document needs; made once, because turns only help if all callers share them. */
export interface PreparationDependencies {
  store: Pick<Store, "blobs"> & { documents: Pick<Store["documents"], "untilIndexed"> };
  pipeline: IngestPipeline;
  turns: DocumentTurns;
  log: Logger;
}

export interface PreparationOptions {
  tenant: Tenant;
  urgency: Urgency;
  /** Length of the text that a waiting caller holds in memory; 0 where nobody waits or there is none yet. */
  characters: number;
  signal: AbortSignal;
  onProgress?: OnProgress;
}

/**
 * How long documents wait for an index that is far behind. Many callers with one document each are slowed down, none is held
 * up; what a batch or the queue brings waits for upkeep, but one comes through before a proxy takes a batch for silent.
 */
const indexWait: Readonly<Record<Urgency, { maxMs: number; isInLine: boolean }>> = {
  interactive: { maxMs: 1_000, isInLine: false },
  background: { maxMs: 20_000, isInLine: true },
};

/** The steps of one document in its turn, in their order. */
export interface PreparationSteps {
  /** @throws ApiError, ProviderError, the signal's reason */
  read(source: Source): Promise<ReadText>;
  /**
   * Indexes the text and ends the turn of a document with few chunks; the caller then publishes it under its locks.
   * @throws ApiError overloaded or unreadable_file; the signal's reason
   */
  index(read: ReadText, name: string | undefined): Promise<IndexedText>;
  /** The document took the blob that `read` stored. Without this call it is released at the end. */
  keepBlob(): void;
  /** Ends the turn: to be called however the steps end. */
  end(): Promise<void>;
}

/**
 * Waits for the turn of one document.
 * @returns the steps from its source to an indexed text @throws ApiError overloaded; the signal's reason
 */
export const prepareDocument = async (
  { store, pipeline, turns, log }: PreparationDependencies,
  { tenant, urgency, characters, signal, onProgress }: PreparationOptions,
): Promise<PreparationSteps> => {
  const { organizationId } = tenant;
  await store.documents.untilIndexed(indexWait[urgency], signal);
  const turn = await takeDocumentTurn(turns, pipeline, { organizationId, urgency, characters }, signal);
  let unusedBlob: string | null = null;
  return {
    async read(source) {
      const read = await pipeline.read(source, signal, onProgress);
      if (read.putsBlob) unusedBlob = read.blobHash;
      return read;
    },
    async index({ text, pages }, name) {
      await turn.beforeIndexing({ text });
      const progress = onProgress === undefined ? {} : { onProgress };
      const indexed = await pipeline.index({ text, pages, name }, signal, { urgency, ...progress });
      turn.beforePublishing(indexed);
      return indexed;
    },
    keepBlob() {
      unusedBlob = null;
    },
    async end() {
      turn.end();
      if (unusedBlob !== null) await releaseBlob(store, unusedBlob, log);
    },
  };
};

const releaseBlob = async ({ blobs }: PreparationDependencies["store"], hash: string, log: Logger): Promise<void> => {
  await blobs.release(hash).catch((error) => log.warn({ error }, "a file that is not needed could not be removed"));
};

/**
 * `prepareDocument` for several small texts of one tenant at once: they take one turn that counts as many, and are
 * indexed together, at a fraction of the cost for each. The turn has ended when it returns.
 * @returns in the order of the texts @throws ApiError overloaded or unreadable_file; the signal's reason
 */
export const prepareTexts = async (
  { store, pipeline, turns }: Pick<PreparationDependencies, "store" | "pipeline" | "turns">,
  { tenant, urgency, signal }: Pick<PreparationOptions, "tenant" | "urgency" | "signal">,
  texts: readonly TextToAnalyze[],
): Promise<IndexedText[]> => {
  const { organizationId } = tenant;
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  await store.documents.untilIndexed(indexWait[urgency], signal);
  const end = await turns.take("small", { organizationId, urgency, characters }, signal, texts.length);
  return await pipeline.indexTogether(texts, urgency, signal).finally(end);
};
