import { ProviderError } from "../contract.ts";
import { callerLeft } from "./call-failure.ts";
import { addressOf, type Destination } from "./provider.ts";

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

/**
 * What the work comes to; or a failure as soon as the caller leaves, in the midst of a pause too.
 * @throws ProviderError `aborted` if the signal fires; what the work throws
 */
export const unlessAborted = async <T>(
  work: Promise<T>,
  destination: Pick<Destination, "service">,
  signal: AbortSignal,
): Promise<T> => {
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(callerLeft(destination, signal.reason));
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
};

/** Measures the time for which a server is waited for. */
interface Watchdog {
  /** Time counts from now on. */
  wait(): void;
  /** The server sent something, or is not expected to: no time counts until the next `wait`. */
  pause(): void;
  /** The server made progress: the whole limit is available again. */
  heard(): void;
}

/**
 * Calls `expire` when a server was waited for longer than `limitMs` without any progress. The time in which the
 * answer's own reader is slow does not count.
 */
export const createWatchdog = (limitMs: number, expire: () => void): Watchdog => {
  let leftMs = limitMs;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  return {
    wait() {
      if (timer !== null) return;
      since = performance.now();
      timer = setTimeout(expire, leftMs);
    },
    pause() {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      leftMs = Math.max(1, leftMs - (performance.now() - since));
    },
    heard() {
      leftMs = limitMs;
    },
  };
};
