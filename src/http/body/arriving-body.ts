import { readUnlessSilent } from "../../async/read-unless-silent.ts";
import { ApiError } from "../../domain/errors.ts";

/** How long a client may take for its body. Only the time counts in which the server waits for it. */
export interface Pace {
  /** Until the first bytes. */
  firstBytesMs: number;
  /** What each later second must bring on average; what comes faster makes up for pauses. */
  bytesPerSecond: number;
  /** The longest pause. */
  maxPauseMs: number;
}

export const bodyPace: Pace = { firstBytesMs: 10_000, bytesPerSecond: 1024, maxPauseMs: 30_000 };

type Next<Chunk> = { done: true } | { done: false; value: Chunk };

/**
 * Reads that end where the body comes too slowly.
 * @param pace null: the client may take as long as it likes
 * @returns to be called for each chunk @throws ApiError body_too_slow
 */
export const pacedReads = <Chunk extends Uint8Array>(
  reader: Parameters<typeof readUnlessSilent<Chunk>>[0],
  pace: Pace | null,
): (() => Promise<Next<Chunk>>) => {
  if (pace === null)
    return async () => {
      const next = await reader.read();
      return next.done ? { done: true } : { done: false, value: next.value };
    };
  let leftMs = pace.firstBytesMs;
  return async () => {
    const askedAt = performance.now();
    const next = await readUnlessSilent<Chunk>(reader, leftMs);
    if (next === null) throw bodyTooSlow(pace);
    if (!next.done) {
      const earnedMs = (next.value.byteLength / pace.bytesPerSecond) * 1_000;
      const waitedMs = performance.now() - askedAt;
      leftMs = Math.max(0, Math.min(pace.maxPauseMs, leftMs - waitedMs + earnedMs));
    }
    return next;
  };
};

/** The chunks of a body that is read as a stream. @throws ApiError as `pacedReads` */
export async function* arrivingBody<Chunk extends Uint8Array>(
  body: ReadableStream<Chunk> | null,
  pace: Pace | null,
): AsyncGenerator<Chunk, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const read = pacedReads<Chunk>(reader, pace);
  try {
    for (let next = await read(); !next.done; next = await read()) yield next.value;
  } finally {
    // Not awaited: the client may send nothing more for a long time.
    reader.cancel().catch(() => {});
  }
}

const bodyTooSlow = ({ firstBytesMs, bytesPerSecond }: Pace): ApiError =>
  new ApiError(
    "body_too_slow",
    `The body came too slowly: it must begin within ${firstBytesMs / 1_000} seconds and go on with at least ${bytesPerSecond} bytes a second.`,
    // What is left of the body would be taken for the next request.
    { headers: { connection: "close" } },
  );
