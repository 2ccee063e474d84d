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
 * Whether the server takes requests, how many it is busy with, and the signal that ends them when a graceful stop has
 * waited long enough. One per process.
 */
export interface Lifecycle {
  readonly state: "starting" | "ready" | "draining";
  /** Requests being answered; a streamed answer counts until its last byte. */
  readonly active: number;
  /** Fires when a drain's deadline has passed: whatever still runs is to end. */
  readonly signal: AbortSignal;
  /** The server has finished starting: `/health/ready` says so from now on. */
  ready(): void;
  /**
   * Refuses new requests from now on and waits for the running ones, at most `timeoutMs`; then fires `signal` and gives
   * what it cut off a moment to say so.
   * @returns how many requests were cut off
   */
  drain(timeoutMs: number): Promise<number>;
  /**
   * Counts a request in; `onDeadline` is called when it is to end because the server stops. (Listeners on `signal`
   * itself would pile up there for as long as the server runs.)
   * @returns counts it out again; calling it twice does no harm
   */
  enter(onDeadline: () => void, request: RequestAtWork): () => void;
  /** Requests being answered, and those that took at least `minMs` and ended since this was last asked. */
  atWork(minMs: number): RequestAtWork[];
}

/** Ended requests that are remembered for `atWork`: how many, and how long they took at least. */
const mostEnded = 100;
const shortestEndedMs = 500;
/** What a request that is cut off has to send its last words. */
const lastWordsMs = 250;

/** A lifecycle in state `starting`. */
export const createLifecycle = (): Lifecycle => {
  const abort = new AbortController();
  const running = new Set<{ onDeadline: () => void; request: RequestAtWork }>();
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
      const cutOff = running.size;
      abort.abort(new DOMException("the server is stopping", "AbortError"));
      for (const { onDeadline } of running) onDeadline();
      await idleWithin(lastWordsMs);
      return cutOff;
    },
    enter(onDeadline, request) {
      const entry = { onDeadline, request };
      running.add(entry);
      return () => {
        if (!running.delete(entry)) return;
        const tookMs = performance.now() - request.startedAt;
        if (tookMs >= shortestEndedMs && ended.length < mostEnded) ended.push({ request, tookMs });
        if (running.size === 0) whenIdle();
      };
    },
    atWork(minMs) {
      const past = ended.filter(({ tookMs }) => tookMs >= minMs);
      ended = [];
      return [...past, ...running].map(({ request }) => request);
    },
  };
};
