import type { ErrorCode, FieldFault, Problem } from "./api.ts";

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, a stream too; what is thrown is then the signal's reason. */
  signal?: AbortSignal;
  /** Longest time in milliseconds with all repetitions; of a stream, the longest silence. */
  timeoutMs?: number;
  /** How often a call is repeated that the server refused for now or that failed on the way. */
  maxRetries?: number;
  /** More headers, such as `X-Visitor-Token` of public chats. */
  headers?: Record<string, string>;
}

/** Failures that no server answered. */
type LocalCode =
  /** No connection, or one that broke. */
  | "connection_failed"
  | "timed_out"
  /** What answered is no Carrel server, such as a proxy that has a page of its own. */
  | "unexpected_answer";

/** What every call throws, but for the reason of its own signal. */
export class CarrelError extends Error {
  override readonly name = "CarrelError";
  /** Stable name of the failure: https://…/docs/errors of the server lists them. */
  readonly code: ErrorCode | LocalCode;
  /** HTTP status; 0 where nothing answered. */
  readonly status: number;
  /** What is wrong and what to do about it. */
  readonly detail: string;
  /** The fields at fault. */
  readonly errors: readonly FieldFault[];
  /** By which the server's log names the request. */
  readonly requestId: string | null;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | null;

  constructor(
    code: ErrorCode | LocalCode,
    status: number,
    detail: string,
    { errors = [], requestId = null, retryAfterMs = null, cause }: Partial<CarrelError> = {},
  ) {
    super(`${code}: ${detail}`, { cause });
    this.code = code;
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** One request, sent anew for each attempt. */
export interface RequestParts {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

/** How a request is sent: `fetch`, or for an upload what also tells of its progress. */
export type Send = (parts: RequestParts, signal: AbortSignal) => Promise<Response>;

interface Limits {
  signal: AbortSignal | undefined;
  timeoutMs: number;
  maxRetries: number;
  /** Whether doing it twice does no harm; else it is only repeated where the server did nothing. */
  isRepeatable: boolean;
  /** Whether the time limit is one of silence, and runs on while the body is read. */
  isStream: boolean;
}

/** 503 of a server that has done nothing. */
const refusals = new Set<string>(["overloaded", "draining"]);
const firstWaitMs = 500;
const longestWaitMs = 20_000;

/**
 * Sends a request and repeats it where that may help, after `Retry-After` or a growing wait.
 * @returns the answer, of status 200 or 202. Its body is read under the same limits.
 * @throws CarrelError, the signal's reason
 */
export const request = async (send: Send, parts: RequestParts, limits: Limits): Promise<Response> => {
  const { signal, timeoutMs, maxRetries, isRepeatable, isStream } = limits;
  const timer = createTimer(timeoutMs);
  const both = signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]);
  const failure = (error: unknown): unknown => {
    if (signal?.aborted === true) return signal.reason;
    if (timer.signal.aborted)
      return new CarrelError("timed_out", 0, `No answer within ${timeoutMs} ms. Set timeoutMs to wait longer.`);
    if (error instanceof CarrelError) return error;
    return new CarrelError("connection_failed", 0, `The connection to ${parts.url} broke: ${String(error)}`, {
      cause: error,
    });
  };
  let isDone = false;
  try {
    for (let attempt = 0; ; attempt++) {
      const outcome = await attemptOnce(send, parts, both);
      if (outcome instanceof Response) {
        isDone = true;
        return watched(outcome, { timer, isStream, signal: both, failure });
      }
      const isOurOwn = attempt > 0 && outcome.code === "idempotency_conflict" && "idempotency-key" in parts.headers;
      const mayRepeat =
        outcome.status === 429 ||
        refusals.has(outcome.code) ||
        (isRepeatable && (outcome.status === 503 || outcome.code === "connection_failed")) ||
        // The first attempt, whose connection broke, still runs: its answer is waited for.
        isOurOwn;
      const waitMs = outcome.retryAfterMs ?? growingWait(attempt);
      if (!mayRepeat || (attempt >= maxRetries && !isOurOwn) || waitMs > timer.leftMs()) throw outcome;
      await wait(waitMs, both);
    }
  } catch (error) {
    throw failure(error);
  } finally {
    if (!isDone) timer.stop();
  }
};

/** @returns the answer, or the failure that may pass @throws the signal's reason */
const attemptOnce = async (send: Send, parts: RequestParts, signal: AbortSignal): Promise<Response | CarrelError> => {
  signal.throwIfAborted();
  try {
    const response = await send(parts, signal);
    return response.ok ? response : await problemOf(response);
  } catch (cause) {
    signal.throwIfAborted();
    const detail = `${parts.url} cannot be reached, or the connection broke: ${String(cause)}`;
    return new CarrelError("connection_failed", 0, detail, { cause });
  }
};

const problemOf = async (response: Response): Promise<CarrelError> => {
  const { status, headers } = response;
  const retryAfterMs = retryAfter(headers.get("retry-after"));
  const problem = (await response.json().catch(() => null)) as Partial<Problem> | null;
  const requestId = headers.get("x-request-id");
  if (typeof problem?.code !== "string" || typeof problem.detail !== "string")
    return new CarrelError(
      "unexpected_answer",
      status,
      `${response.url} answered ${status} without a problem document.`,
      {
        requestId,
        retryAfterMs,
      },
    );
  return new CarrelError(problem.code, status, problem.detail, {
    errors: problem.errors ?? [],
    requestId,
    retryAfterMs,
  });
};

/** Seconds or a date. */
const retryAfter = (text: string | null): number | null => {
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
};

/** Twice as long each time, and by chance, so that clients that were refused together do not return together. */
const growingWait = (attempt: number): number =>
  Math.min(longestWaitMs, firstWaitMs * 2 ** attempt) * (0.5 + Math.random() / 2);

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

interface Timer {
  signal: AbortSignal;
  leftMs(): number;
  restart(): void;
  stop(): void;
}

const createTimer = (ms: number): Timer => {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endsAt = 0;
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    endsAt = Date.now() + ms;
    // Timers hold 31 bits of milliseconds.
    if (ms < 2 ** 31) timer = setTimeout(() => controller.abort(), ms);
  };
  restart();
  return { signal: controller.signal, leftMs: () => endsAt - Date.now(), restart, stop };
};

interface Watch {
  timer: Timer;
  isStream: boolean;
  /** Of the caller and the timer. */
  signal: AbortSignal;
  failure(error: unknown): unknown;
}

/** The answer, with the timer running until its body is read; a stream's runs while the next piece is waited for. */
const watched = (response: Response, { timer, isStream, signal, failure }: Watch): Response => {
  const { body, status, headers } = response;
  if (body === null) {
    timer.stop();
    return response;
  }
  if (isStream) timer.stop();
  const reader = body.getReader();
  let abort = () => {};
  const end = () => {
    timer.stop();
    signal.removeEventListener("abort", abort);
  };
  const read = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        // Not left to `fetch`: one of the caller's may not pass its signal on to the body.
        abort = () => {
          end();
          controller.error(failure(signal.reason));
          reader.cancel(signal.reason).catch(() => {});
        };
        signal.addEventListener("abort", abort, { once: true });
      },
      async pull(controller) {
        try {
          if (isStream) timer.restart();
          const { done, value } = await reader.read();
          if (signal.aborted) return;
          // The time that the caller takes with a piece is not silence.
          if (isStream) timer.stop();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          if (!signal.aborted) controller.error(failure(error));
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(read, { status, headers });
};
