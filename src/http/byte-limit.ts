import { ApiError } from "../errors.ts";

/**
 * A body that is too large is read on for a little, into nothing: many clients send it whole before they look at the
 * answer, and see a broken connection where nobody takes it.
 */
const discardAtLeastBytes = 16 * 1024 * 1024;
const discardWithinMs = 5_000;
/** Who sends nothing for this long waits for the answer. */
const discardSilenceMs = 1_000;

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
  const reader = request.body.getReader();
  try {
    for (;;) {
      const next = isOver ? await readUnlessSilent(reader) : await reader.read();
      if (next.done) break;
      total += next.value.byteLength;
      isOver ||= total > maxBytes;
      if (!isOver) yield next.value;
      else if (total > mostBytes || performance.now() > discardUntil) break;
    }
  } catch (error) {
    throw new ApiError("malformed_body", "The body ended before it was whole.", { cause: error });
  } finally {
    // Not waited for: the far side may send nothing more for long.
    reader.cancel().catch(() => {});
  }
  if (isOver) {
    throw new ApiError("body_too_large", `The body is larger than ${maxBytes} bytes, the most that is taken here.`);
  }
}

async function readUnlessSilent(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, "read">,
): Promise<{ done: true } | { done: false; value: Uint8Array }> {
  const silence = Promise.withResolvers<{ done: true }>();
  const timer = setTimeout(() => silence.resolve({ done: true }), discardSilenceMs);
  try {
    const next = await Promise.race([reader.read(), silence.promise]);
    return next.done ? { done: true } : { done: false, value: next.value };
  } finally {
    clearTimeout(timer);
  }
}

/** All of a body of at most `maxBytes`. @throws as `limitedChunks` */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitedChunks(request, maxBytes)) chunks.push(chunk);
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}
