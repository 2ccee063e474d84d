/** A request as the log names it. */
export interface RequestAtWork {
  readonly requestId: string;
  readonly method: string;
  /** `performance.now()` at its start. */
  readonly startedAt: number;
  /** Pattern of its path; null where none fits, or it is not known yet. */
  route(): string | null;
}

/**
 * Whether the server accepts requests, how many it is answering, and the signal that ends them when a graceful stop has
 * waited long enough. One per process.
 */
export interface Lifecycle {
  readonly state: "starting" | "ready" | "draining";
  /** Requests being answered; a streamed answer counts until its last byte. */
  readonly active: number;
  /** Fires when a drain's deadline has passed: what still runs must end. */
  readonly signal: AbortSignal;
  /** The server has finished starting: `/health/ready` says so from now on. */
  ready(): void;
  /**
   * Refuses new requests from now on and waits for the running ones, at most `timeoutMs`; then fires `signal` and gives
   * interrupted requests a moment to send their error.
   * @returns how many requests were interrupted
   */
  drain(timeoutMs: number): Promise<number>;
  /**
   * Registers a request; `onDeadline` is called when it must end because the server stops. (Listeners on `signal` itself
   * would accumulate for as long as the server runs.)
   * @returns removes the request again; calling it twice does no harm
   */
  enter(onDeadline: () => void, request: RequestAtWork): () => void;
  /** Calls `listener` as each request comes. @returns removes it again */
  onEnter(listener: () => void): () => void;
  /** Requests being answered, and those that took at least `minMs` and ended since this was last asked. */
  atWork(minMs: number): RequestAtWork[];
}

/** Ended requests that are remembered for `atWork`: how many at most, and how long they took at least. */
const maxEnded = 100;
const minEndedMs = 500;
/** How long an interrupted request has to send its error. */
const lastEventMs = 250;

/** A lifecycle in state `starting`. */
export const createLifecycle = (): Lifecycle => {
  const abort = new AbortController();
  const running = new Set<{ onDeadline: () => void; request: RequestAtWork }>();
  const listeners = new Set<() => void>();
  let ended: { request: RequestAtWork; tookMs: number }[] = [];
  let state: Lifecycle["state"] = "starting";
  let whenIdle = () => {};

  const idleWithin = (timeoutMs: number) =>
    new Promise<void>((resolve) => {
      if (running.size === 0) return resolve();
      const timer = setTimeout(resolve, timeoutMs);
      whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  return {
    get state() {
      return state;
    },
    get active() {
      return running.size;
    },
    signal: abort.signal,
    ready() {
      if (state === "starting") state = "ready";
    },
    async drain(timeoutMs) {
      state = "draining";
      await idleWithin(timeoutMs);
      const interrupted = running.size;
      abort.abort(new DOMException("the server is stopping", "AbortError"));
      for (const { onDeadline } of running) onDeadline();
      await idleWithin(lastEventMs);
      return interrupted;
    },
    enter(onDeadline, request) {
      const entry = { onDeadline, request };
      running.add(entry);
      for (const listener of listeners) listener();
      return () => {
        if (!running.delete(entry)) return;
        const tookMs = performance.now() - request.startedAt;
        if (tookMs >= minEndedMs && ended.length < maxEnded) ended.push({ request, tookMs });
        if (running.size === 0) whenIdle();
      };
    },
    onEnter(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    atWork(minMs) {
      const past = ended.filter(({ tookMs }) => tookMs >= minMs);
      ended = [];
      return [...past, ...running].map(({ request }) => request);
    },
  };
};
