import type { Held } from "../../async/in-flight.ts";
import { readUnlessSilent } from "../../async/read-unless-silent.ts";
import { ApiError } from "../../domain/errors.ts";

/** How much of a body is accepted. */
export interface ByteLimit {
  maxBytes: number;
  held: Pick<Held, "add">;
  /**
   * `whole`: the reader keeps all of it, so what is declared is counted before a byte is read; `chunks`: each chunk is
   * counted as it arrives, and the reader subtracts what it does not keep.
   */
  counted: "whole" | "chunks";
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
 * @throws ApiError body_too_large; overloaded where all requests together hold too much; malformed_body where the
 *   connection ends before the body does
 */
export async function* limitedChunks(
  request: Request,
  { maxBytes, held, counted }: ByteLimit,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (request.body === null) return;
  const declared = declaredBytes(request);
  let refusal = (declared ?? 0) > maxBytes ? bodyTooLarge(maxBytes) : null;
  const isReserved = declared !== null && counted === "whole";
  if (isReserved) refusal ??= refusalOf(held, declared);
  const maxDiscardedBytes = maxBytes + Math.max(maxBytes, discardAtLeastBytes);
  const discardUntil = performance.now() + discardWithinMs;
  let total = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const next = refusal === null ? await reader.read() : await readUnlessSilent(reader, discardSilenceMs);
      if (next === null || next.done) break;
      total += next.value.byteLength;
      if (total > maxBytes) refusal ??= bodyTooLarge(maxBytes);
      if (!isReserved) refusal ??= refusalOf(held, next.value.byteLength);
      if (refusal === null) yield next.value;
      else if (total > maxDiscardedBytes || performance.now() > discardUntil) break;
    }
  } catch (error) {
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
export const readBytes = async (
  request: Request,
  limit: Omit<ByteLimit, "counted">,
): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const declared = Math.min(declaredBytes(request) ?? 0, limit.maxBytes);
  // Memory is used as it is written, and the chunks need not be copied into one afterwards.
  const whole = declared > 0 ? Buffer.allocUnsafe(declared) : null;
  let length = 0;
  for await (const chunk of limitedChunks(request, { ...limit, counted: "whole" })) {
    if (whole === null) chunks.push(chunk);
    else whole.set(chunk, length);
    length += chunk.byteLength;
  }
  return whole?.subarray(0, length) ?? Buffer.concat(chunks);
};
