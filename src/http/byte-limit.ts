import { ApiError } from "../errors.ts";

/**
 * A body that is too large is read on for a little, into nothing: many clients send it whole before they look at the
 * answer, and see a broken connection where nobody takes it.
 */
const discardAtLeastBytes = 16 * 1024 * 1024;
const discardWithinMs = 5_000;

/**
 * The body's chunks, at most `maxBytes` in all, whatever the request declared.
 * @throws ApiError body_too_large; malformed_body where the connection ends before the body does
 */
export async function* limitedChunks(request: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  let isOver = Number(request.headers.get("content-length") ?? 0) > maxBytes;
  const mostBytes = maxBytes + Math.max(maxBytes, discardAtLeastBytes);
  const discardUntil = performance.now() + discardWithinMs;
  let total = 0;
  try {
    for await (const chunk of request.body) {
      total += chunk.byteLength;
      isOver ||= total > maxBytes;
      if (!isOver) yield chunk;
      else if (total > mostBytes || performance.now() > discardUntil) break;
    }
  } catch (error) {
    throw new ApiError("malformed_body", "The body ended before it was whole.", { cause: error });
  }
  if (isOver) {
    throw new ApiError("body_too_large", `The body is larger than ${maxBytes} bytes, the most that is taken here.`);
  }
}

/** All of a body of at most `maxBytes`. @throws as `limitedChunks` */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitedChunks(request, maxBytes)) chunks.push(chunk);
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}
