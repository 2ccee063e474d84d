import type { IngestPipeline } from "../pipeline.ts";
import type { Turns, Urgency } from "./turns.ts";

/** A document's turn, on its way from its source to the store. */
export interface DocumentTurn {
  /** A text that is indexed in a moment gives the turn at heavy work back, and waits for one of many instead. */
  beforeIndexing(text: Parameters<IngestPipeline["isQuick"]>[0]): Promise<void>;
  /**
   * A small document gives its turn back before it is written, so that writes are committed in groups. A large one
   * keeps it: that bounds what is held in memory.
   */
  beforePublishing(indexed: { chunks: readonly unknown[] }): void;
  /** Calling it twice does no harm. */
  end(): void;
}

/** What a turn is taken of: those of the ingest queue. */
export interface TurnsOfDocuments {
  pipeline: Pick<IngestPipeline, "isQuick">;
  /** At heavy work. */
  turns: Turns;
  /** For texts that are done in a moment. */
  quickTurns: Turns;
}

/** Chunks that are few. */
const FEW_CHUNKS = 64;

/**
 * Waits for a document's turn at heavy work.
 * @param characters length of the text that a waiting caller holds in memory
 * @throws ApiError overloaded, the signal's reason; so does `beforeIndexing`
 */
export const takeDocumentTurn = async (
  { pipeline, turns, quickTurns }: TurnsOfDocuments,
  organizationId: string,
  urgency: Urgency,
  characters: number,
  signal: AbortSignal,
): Promise<DocumentTurn> => {
  let end = await turns.take(organizationId, urgency, characters, signal);
  return {
    async beforeIndexing(text) {
      if (!pipeline.isQuick(text)) return;
      end();
      end = await quickTurns.take(organizationId, urgency, characters, signal);
    },
    beforePublishing({ chunks }) {
      if (chunks.length <= FEW_CHUNKS) end();
    },
    end: () => end(),
  };
};
