import { ProviderError } from "../contract.ts";
import type { Destination } from "./outbound.ts";
import { addressOf } from "./refusal.ts";
import type { Watchdog } from "./watchdog.ts";

const MEBIBYTE = 1024 * 1024;
/**
 * The largest answer that is read, after decompression: a stream of 200,000 tokens, 256 embeddings of 4,096 numbers as
 * JSON text, scores, and the elements of a large file.
 */
const MOST_BYTES: Record<Destination["service"], number> = {
  answer: 64 * MEBIBYTE,
  embedding: 64 * MEBIBYTE,
  reranker: 4 * MEBIBYTE,
  parser: 256 * MEBIBYTE,
};
/** Longest line of a stream: a piece of text with its counts has a few hundred bytes. */
const MOST_LINE_BYTES = 4 * MEBIBYTE;
/** An answer that comes more slowly than this is taken for a silent one. */
const LEAST_BYTES_A_SECOND = 16;

const LINE_FEED = 10;

export interface WatchedBody {
  destination: Destination;
  watchdog: Watchdog;
  /** A stream of lines, each of which counts as progress. */
  isStream: boolean;
  /** Called once, however the reading ends. */
  onEnd(): void;
  /** What the reading threw, as a ProviderError. */
  translate(error: unknown): ProviderError;
}

/**
 * The response with a body that is bounded in size and in the length of its lines, that counts as silent where it makes
 * no progress, and that fails as a ProviderError.
 */
export const watchedBody = (response: Response, watch: WatchedBody): Response => {
  const { destination, watchdog, isStream } = watch;
  if (!response.body) {
    watch.onEnd();
    return response;
  }
  const reader = response.body.getReader();
  const pace = (LEAST_BYTES_A_SECOND * destination.timeoutMs) / 1000;
  const most = MOST_BYTES[destination.service];
  let bytes = 0;
  let unheard = 0;
  let line = 0;
  const count = (piece: Uint8Array): void => {
    bytes += piece.byteLength;
    if (bytes > most) throw tooLarge(destination, `an answer of more than ${most / MEBIBYTE} MiB`);
    const lastEnd = isStream ? piece.lastIndexOf(LINE_FEED) : -1;
    line = lastEnd < 0 ? line + piece.byteLength : piece.byteLength - lastEnd - 1;
    if (isStream && line > MOST_LINE_BYTES)
      throw tooLarge(destination, `a line of more than ${MOST_LINE_BYTES / MEBIBYTE} MiB`);
    unheard += piece.byteLength;
    if (isStream ? lastEnd < 0 : unheard < pace) return;
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

const tooLarge = (destination: Destination, what: string): ProviderError =>
  new ProviderError(
    destination.service,
    "bad_answer",
    `${addressOf(destination)} gave ${what}, which is not read: check ${destination.configKey}.baseUrl`,
  );
