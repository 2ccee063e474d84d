import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Logger } from "../log.ts";
import type { Lifecycle, RequestAtWork } from "./lifecycle.ts";

/** Watches how long the event loop is held up: while it is, no request goes on. */
export interface EventLoopWatch {
  /** The longest delay of the last minute, in milliseconds. */
  longestMs(): number;
  stop(): void;
}

export interface EventLoopOptions {
  lifecycle: Pick<Lifecycle, "atWork" | "state">;
  log: Pick<Logger, "warn">;
  /** A longer delay is warned of. */
  warnAboveMs?: number;
}

/** The delay is told from zero by more than this; a finer one would cost an idle process more. */
const resolutionMs = 50;
const lookEveryMs = 1_000;
const rememberedLooks = 60;
const defaultWarnAboveMs = 1_000;
const mostNamed = 20;

/** Looks once a second. A delay over a second is logged with the requests that were at work, without anything they sent. */
export const watchEventLoop = ({
  lifecycle,
  log,
  warnAboveMs = defaultWarnAboveMs,
}: EventLoopOptions): EventLoopWatch => {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const lately: number[] = [];

  const takeLongest = (): number => {
    const longestMs = delays.count === 0 ? 0 : delays.max / 1e6;
    delays.reset();
    return longestMs;
  };

  const look = (): void => {
    const delayMs = takeLongest();
    lately.push(delayMs);
    if (lately.length > rememberedLooks) lately.shift();
    // Asked each time, so that it holds what ended within the last second alone.
    const requests = lifecycle.atWork(Math.min(delayMs, warnAboveMs));
    // While it starts, nobody waits.
    if (delayMs <= warnAboveMs || lifecycle.state === "starting") return;
    const now = performance.now();
    const youngestFirst = requests.toSorted((a, b) => b.startedAt - a.startedAt);
    log.warn(
      {
        delayMs: Math.round(delayMs),
        requests: youngestFirst.slice(0, mostNamed).map((request) => describe(request, now)),
        ...(requests.length > mostNamed ? { more: requests.length - mostNamed } : {}),
      },
      "the event loop was held up",
    );
  };
  const timer = setInterval(look, lookEveryMs);
  timer.unref();

  return {
    longestMs: () => Math.max(0, ...lately, delays.count === 0 ? 0 : delays.max / 1e6),
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
