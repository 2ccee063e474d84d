import { ProviderError } from "../contract.ts";
import { addressOf, type Destination } from "./destination.ts";
import type { Watchdog } from "./watchdog.ts";

const mebibyte = 1024 * 1024;
/**
 * Of the answers that are read, after decompression: a stream of 200,000 tokens, 256 embeddings of 4,096 numbers as
 * JSON text, scores, and the elements of a large file.
 */
const maxBytes: Record<Destination["service"], number> = {
  answer: 64 * mebibyte,
  embedding: 64 * mebibyte,
  reranker: 4 * mebibyte,
  parser: 256 * mebibyte,
};
/** Of one line of a stream: a piece of text with its counts has a few hundred bytes. */
const maxLineBytes = 4 * mebibyte;
/** An answer that comes more slowly counts as silent. */
const minBytesPerSecond = 16;

const lineFeed = 10;

interface BodyWatch {
  destination: Destination;
  watchdog: Watchdog;
  /** A stream of lines, each of which counts as progress: whether they bring text is seen where they are read (model-text.ts). */
  isStream: boolean;
  /** Called once, however the reading ends. */
  onEnd(): void;
  /** What the reading threw, as a ProviderError. */
  translate(error: unknown): ProviderError;
}

/**
 * The response with a body that is limited in size and line length, counts as silent while it makes no progress, and
 * fails with a ProviderError.
 */
export const watchBody = (response: Response, watch: BodyWatch): Response => {
  const { destination, watchdog, isStream } = watch;
  if (!response.body) {
    watch.onEnd();
    return response;
  }
  const reader = response.body.getReader();
  const pace = (minBytesPerSecond * destination.timeoutMs) / 1000;
  const limit = maxBytes[destination.service];
  let bytes = 0;
  let unheard = 0;
  let line = 0;
  const count = (piece: Uint8Array): void => {
    bytes += piece.byteLength;
    if (bytes > limit) throw tooLarge(destination, `an answer of more than ${limit / mebibyte} MiB`);
    const lastEnd = isStream ? piece.lastIndexOf(lineFeed) : -1;
    if (!isStream) unheard += solidBytes(piece);
    const shows = isStream ? lastEnd >= 0 : unheard >= pace;
    line = lastEnd < 0 ? line + piece.byteLength : piece.byteLength - lastEnd - 1;
    if (isStream && line > maxLineBytes)
      throw tooLarge(destination, `a line of more than ${maxLineBytes / mebibyte} MiB`);
    if (!shows) return;
    unheard = 0;
    watchdog.heard();
  };
  const stop = (): void => {
    watch.onEnd();
    reader.cancel().catch(() => {});
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        watchdog.wait();
        const piece = await reader.read().finally(() => watchdog.pause());
        if (piece.done) {
          watch.onEnd();
          controller.close();
          return;
        }
        count(piece.value);
        controller.enqueue(piece.value);
      } catch (error) {
        controller.error(watch.translate(error));
        stop();
      }
    },
    cancel: stop,
  });
  return new Response(body, { headers: response.headers });
};

/** White space alone keeps a connection open and brings no answer nearer. */
const solidBytes = (piece: Uint8Array): number => {
  let solid = 0;
  for (const byte of piece) if (byte > 32) solid++;
  return solid;
};

const tooLarge = (destination: Destination, what: string): ProviderError =>
  new ProviderError(
    destination.service,
    "bad_answer",
    `${addressOf(destination)} gave ${what}, which is not read: check ${destination.configKey}.baseUrl`,
  );
