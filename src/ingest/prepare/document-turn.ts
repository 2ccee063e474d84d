import type { Size, Urgency } from "../index/analyzed-text.ts";
import type { IngestPipeline } from "./contract.ts";
import { createTurns, type RecentTenants, type Turns } from "./turns.ts";

/**
 * Turns at the work on documents, by their size. Many small ones are under way at once, but one tenant's thousands do
 * not delay another tenant's one.
 */
export type DocumentTurns = Record<Size, Turns>;

/** Some 40 ms of small texts; interactive ones are analyzed before the others. */
const maxSmallDocuments = 256;
const waitingLimits = { maxWaitingCallers: 1_000, maxWaitingCharacters: 256 * 1024 * 1024 };

/**
 * @param concurrency large documents that are read and indexed at once
 * @param tenants whom the server works for; missing: for one
 */
export const createDocumentTurns = (concurrency: number, tenants?: RecentTenants): DocumentTurns => ({
  large: createTurns({ concurrency, spare: concurrency, ...(tenants ? { tenants } : {}), ...waitingLimits }),
  small: createTurns({ concurrency: maxSmallDocuments, ...waitingLimits }),
});

/** Whose turn is taken. */
interface TurnRequest {
  organizationId: string;
  urgency: Urgency;
  /** Length of the text that a waiting caller holds in memory. */
  characters: number;
}

/** The turn of one document, from its source to the store. */
interface DocumentTurn {
  /** Exchanges the turn for one among small documents, where the text is small. */
  beforeIndexing(text: Parameters<IngestPipeline["sizeOf"]>[0]): Promise<void>;
  /**
   * Ends the turn of a document with few chunks before it is written, so that writes are committed in groups. One with
   * many keeps it, which bounds the memory that documents hold.
   */
  beforePublishing(indexed: { chunks: readonly unknown[] }): void;
  /** May be called twice. */
  end(): void;
}

const maxChunksWithoutTurn = 64;

/**
 * Waits for a document's turn. Its size is known only once its source is read: until then it counts as large.
 * @throws ApiError overloaded, the signal's reason; `beforeIndexing` throws the same
 */
export const takeDocumentTurn = async (
  turns: DocumentTurns,
  pipeline: Pick<IngestPipeline, "sizeOf">,
  { organizationId, urgency, characters }: TurnRequest,
  signal: AbortSignal,
): Promise<DocumentTurn> => {
  let end = await turns.large.take(organizationId, urgency, characters, signal);
  return {
    async beforeIndexing(text) {
      if (pipeline.sizeOf(text) === "large") return;
      end();
      end = await turns.small.take(organizationId, urgency, characters, signal);
    },
    beforePublishing({ chunks }) {
      if (chunks.length <= maxChunksWithoutTurn) end();
    },
    end: () => end(),
  };
};
