import type { Held } from "../../async/in-flight.ts";
import { readUnlessSilent } from "../../async/waiting.ts";
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
const pacedReads = <Chunk extends Uint8Array>(
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

/** How much of a body is accepted, and how fast it must come. */
interface ByteLimit {
  maxBytes: number;
  pace: Pace | null;
  /** Each chunk is counted as it arrives; the reader subtracts what it does not keep. */
  held: Pick<Held, "add">;
}

/**
 * A refused body is still read for a while and discarded: many clients send it whole before they read the answer, and
 * otherwise see a broken connection.
 */
const discardAtLeastBytes = 16 * 1024 * 1024;
const discardWithinMs = 5_000;
/** A client that sends nothing for this long waits for the answer. */
const discardSilenceMs = 1_000;

/** Declared length of the body; null where it is sent in chunks. */
export const declaredBytes = ({ headers }: Request): number | null => {
  const declared = Number(headers.get("content-length") ?? Number.NaN);
  return Number.isSafeInteger(declared) && declared >= 0 ? declared : null;
};

/**
 * The body's chunks, at most `maxBytes` in all, whatever the request declared.
 * @throws ApiError body_too_large; body_too_slow; overloaded where too much is held; malformed_body where the connection
 *   ends before the body does
 */
export async function* limitedChunks(
  request: Request,
  { maxBytes, pace, held }: ByteLimit,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (request.body === null) return;
  const declared = declaredBytes(request);
  let refusal = (declared ?? 0) > maxBytes ? bodyTooLarge(maxBytes) : null;
  const maxDiscardedBytes = maxBytes + Math.max(maxBytes, discardAtLeastBytes);
  const discardUntil = performance.now() + discardWithinMs;
  let total = 0;
  const reader = request.body.getReader();
  const read = pacedReads(reader, pace);
  try {
    for (;;) {
      const next = refusal === null ? await read() : await readUnlessSilent(reader, discardSilenceMs);
      if (next === null || next.done) break;
      total += next.value.byteLength;
      if (total > maxBytes) refusal ??= bodyTooLarge(maxBytes);
      refusal ??= refusalOf(held, next.value.byteLength);
      if (refusal === null) yield next.value;
      else if (total > maxDiscardedBytes || performance.now() > discardUntil) break;
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("malformed_body", "The body ended before it was complete.", { cause: error });
  } finally {
    // Not awaited: the client may send nothing more for a long time.
    reader.cancel().catch(() => {});
  }
  if (refusal !== null) throw refusal;
}

const bodyTooLarge = (maxBytes: number): ApiError =>
  new ApiError("body_too_large", `The body is larger than ${maxBytes} bytes, the limit of this operation.`);

const refusalOf = (held: ByteLimit["held"], bytes: number): ApiError | null => {
  try {
    held.add(bytes);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
};

/** All of a body. @throws as `limitedChunks` */
export const readBytes = async (request: Request, limit: ByteLimit): Promise<Uint8Array<ArrayBuffer>> => {
  const declared = Math.min(declaredBytes(request) ?? 0, limit.maxBytes);
  let whole: Uint8Array<ArrayBuffer> = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of limitedChunks(request, limit)) {
    const needed = length + chunk.byteLength;
    if (length === 0 && needed === declared) whole = chunk;
    else {
      // Memory is taken as the body arrives, not as it is declared; single bytes are not kept as such.
      if (needed > whole.byteLength) whole = grown(whole, Math.max(needed, Math.min(declared, 4 * needed), 2 * length));
      whole.set(chunk, length);
    }
    length = needed;
  }
  return whole.subarray(0, length);
};

const grown = (bytes: Uint8Array, roomBytes: number): Uint8Array<ArrayBuffer> => {
  const larger = Buffer.allocUnsafe(roomBytes);
  larger.set(bytes);
  return larger;
};
