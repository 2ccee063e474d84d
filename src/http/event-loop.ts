import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Logger } from "../log.ts";
import type { Lifecycle, RequestAtWork } from "./lifecycle.ts";

/** Watches how long the event loop is blocked: meanwhile no request makes progress. */
export interface EventLoopWatch {
  /** The largest delay of the last minute. */
  maxDelayMs(): number;
  stop(): void;
}

export interface EventLoopOptions {
  lifecycle: Pick<Lifecycle, "atWork" | "state">;
  log: Pick<Logger, "warn">;
  /** A longer delay is logged as a warning. */
  warnAboveMs?: number;
}

/** Shorter delays are not noticed; a finer resolution would cost an idle process more. */
const resolutionMs = 50;
const checkEveryMs = 1_000;
const rememberedChecks = 60;
const defaultWarnAboveMs = 1_000;
const maxNamed = 20;

/** Checks once a second. A delay over a second is logged with the requests at work, without anything they sent. */
export const watchEventLoop = ({
  lifecycle,
  log,
  warnAboveMs = defaultWarnAboveMs,
}: EventLoopOptions): EventLoopWatch => {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const lately: number[] = [];

  const takeMaxDelayMs = (): number => {
    const maxDelayMs = delays.count === 0 ? 0 : delays.max / 1e6;
    delays.reset();
    return maxDelayMs;
  };

  const check = (): void => {
    const delayMs = takeMaxDelayMs();
    lately.push(delayMs);
    if (lately.length > rememberedChecks) lately.shift();
    // Called each time, so that it returns only the requests that ended within the last second.
    const requests = lifecycle.atWork(Math.min(delayMs, warnAboveMs));
    // During the start no request waits.
    if (delayMs <= warnAboveMs || lifecycle.state === "starting") return;
    const now = performance.now();
    const youngestFirst = requests.toSorted((a, b) => b.startedAt - a.startedAt);
    log.warn(
      {
        delayMs: Math.round(delayMs),
        requests: youngestFirst.slice(0, maxNamed).map((request) => describe(request, now)),
        ...(requests.length > maxNamed ? { more: requests.length - maxNamed } : {}),
      },
      "the event loop was held up",
    );
  };
  const timer = setInterval(check, checkEveryMs);
  timer.unref();

  return {
    maxDelayMs: () => Math.max(0, ...lately, delays.count === 0 ? 0 : delays.max / 1e6),
    stop() {
      clearInterval(timer);
      delays.disable();
    },
  };
};

const describe = ({ requestId, method, route, startedAt }: RequestAtWork, now: number) => ({
  requestId,
  method,
  route: route(),
  elapsedMs: Math.round(now - startedAt),
});
