import { createTurns, type Turns } from "../../async/turns.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Size, Urgency } from "../index/analyzed-text.ts";
import type { IngestPipeline } from "./contract.ts";

/** Which organizations the server has lately done something for: asked or taken in. */
export interface RecentTenants {
  note(organizationId: string): void;
  /** Whether there was anything for another organization within the last seconds. */
  hasOthersThan(organizationId: string): boolean;
}

const recentMs = 2_000;

interface Noted {
  readonly organizationId: string;
  readonly at: number;
}

/** @param now milliseconds of a clock that is never set back */
export const createRecentTenants = (now: () => number = () => performance.now()): RecentTenants => {
  let last: Noted | null = null;
  /** The last of an organization other than the last one's. */
  let before: Noted | null = null;
  return {
    note(organizationId) {
      if (last !== null && last.organizationId !== organizationId) before = last;
      last = { organizationId, at: now() };
    },
    hasOthersThan(organizationId) {
      const other = last?.organizationId === organizationId ? before : last;
      return other !== null && now() - other.at < recentMs;
    },
  };
};

/** Whose turn is taken. */
interface TurnRequest {
  organizationId: string;
  urgency: Urgency;
  /** Length of the text that a waiting caller holds in memory. */
  characters: number;
}

/**
 * Turns at the work on documents, by their size. Many small ones are under way at once, but one organization's thousands do
 * not delay another's one. Interactive and background work of an organization alternate.
 */
export interface DocumentTurns extends Readonly<Record<Size, Pick<Turns, "waiting" | "running">>> {
  /**
   * Waits for a turn, which the function returned ends.
   * @param places how many turns it counts as, 1 unless given
   * @throws ApiError overloaded where too many callers wait already (the queue bounds background work itself); the signal's
   * reason
   */
  take(size: Size, request: TurnRequest, signal: AbortSignal, places?: number): Promise<() => void>;
}

/** Some 40 ms of small texts; interactive ones are analyzed before the others. */
const maxSmallDocuments = 256;
const limits = {
  lanes: ["interactive", "background"],
  maxWaiting: 1_000,
  maxWaitingSize: 256 * 1024 * 1024,
  tooManyWait: () =>
    new ApiError(
      "overloaded",
      'Too many documents are being ingested at once. Try again in a few seconds, or send "async": true to have it queued.',
      { headers: { "Retry-After": "5" } },
    ),
} as const;

/**
 * As many turns at large documents more go to organizations that have none, one to each, so that the long turns of others do
 * not keep them waiting. While the server works for several organizations, none has more than half of the turns, so that
 * its documents leave processors to the others.
 * @param concurrency large documents that are read and indexed at once
 * @param tenants whom the server works for; missing: for one
 */
export const createDocumentTurns = (concurrency: number, tenants?: RecentTenants): DocumentTurns => {
  const share = Math.max(1, Math.floor(concurrency / 2));
  const turns: Record<Size, Turns> = {
    large: createTurns({
      ...limits,
      concurrency,
      spare: concurrency,
      maxOf: (organizationId) => (tenants?.hasOthersThan(organizationId) ? share : Number.POSITIVE_INFINITY),
    }),
    small: createTurns({ ...limits, concurrency: maxSmallDocuments }),
  };
  return {
    ...turns,
    take(size, { organizationId, urgency, characters }, signal, places = 1) {
      if (size === "large") tenants?.note(organizationId);
      const wish = { lane: urgency, size: characters, places, isPatient: urgency === "background" };
      return turns[size].take(organizationId, signal, wish);
    },
  };
};

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
  request: TurnRequest,
  signal: AbortSignal,
): Promise<DocumentTurn> => {
  let end = await turns.take("large", request, signal);
  return {
    async beforeIndexing(text) {
      if (pipeline.sizeOf(text) === "large") return;
      end();
      end = await turns.take("small", request, signal);
    },
    beforePublishing({ chunks }) {
      if (chunks.length <= maxChunksWithoutTurn) end();
    },
    end: () => end(),
  };
};
