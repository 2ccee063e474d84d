import type { Logger } from "../log.ts";
import { createCpuMeter } from "../system/cpu-meter.ts";
import type { Lifecycle, RequestAtWork } from "./lifecycle.ts";

/** Watches how long the event loop is blocked: meanwhile no request makes progress. */
export interface EventLoopWatch {
  /** The largest delay of the last minute. */
  maxDelayMs(): number;
  stop(): void;
}

export interface EventLoopOptions {
  lifecycle: Pick<Lifecycle, "active" | "atWork" | "onEnter" | "state">;
  log: Pick<Logger, "warn">;
  /** A longer delay is logged as a warning. */
  warnAboveMs?: number;
}

/** While there is work, shorter delays are not noticed. */
const sampleEveryMs = 50;
const checkEveryMs = 1_000;
/** A second in which the process took less CPU time than this, and answered nothing, was a second of rest. */
const restingCpuMs = 20;
/** Seconds of rest until the samples stop: requests that follow one another do not start and stop them. */
const restingChecks = 3;
const rememberedChecks = 60;
const defaultWarnAboveMs = 1_000;
const maxNamed = 20;

/**
 * Checks once a second. A delay over a second is logged with the requests at work, without anything they sent. Between
 * the checks it takes samples, from the moment a request comes or the process is seen to work until it rests: an idle
 * server is woken by the checks alone, and a delay that begins while it rests is measured up to a second too short.
 */
export const watchEventLoop = ({
  lifecycle,
  log,
  warnAboveMs = defaultWarnAboveMs,
}: EventLoopOptions): EventLoopWatch => {
  const takeCpuMs = createCpuMeter();
  const lately: number[] = [];
  /** Since the last check. */
  let maxDelayMs = 0;
  let checkDueAt = performance.now() + checkEveryMs;
  let sampler: ReturnType<typeof setInterval> | null = null;
  let sampleDueAt = 0;
  let rested = 0;

  const noteDelay = (): void => {
    const now = performance.now();
    maxDelayMs = Math.max(maxDelayMs, now - (sampler === null ? checkDueAt : sampleDueAt));
    sampleDueAt = now + sampleEveryMs;
  };
  const startSamples = (): void => {
    rested = 0;
    if (sampler !== null) return;
    sampleDueAt = performance.now() + sampleEveryMs;
    sampler = setInterval(noteDelay, sampleEveryMs);
    sampler.unref();
  };
  const stopSamples = (): void => {
    if (sampler !== null) clearInterval(sampler);
    sampler = null;
  };
  const followWork = (): void => {
    if (takeCpuMs() >= restingCpuMs || lifecycle.active > 0) startSamples();
    else if (++rested === restingChecks) stopSamples();
  };

  const check = (): void => {
    noteDelay();
    checkDueAt = performance.now() + checkEveryMs;
    const delayMs = maxDelayMs;
    maxDelayMs = 0;
    followWork();
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
  const forget = lifecycle.onEnter(startSamples);

  return {
    maxDelayMs: () => Math.max(0, ...lately, maxDelayMs),
    stop() {
      forget();
      clearInterval(timer);
      stopSamples();
    },
  };
};

const describe = ({ requestId, method, route, startedAt }: RequestAtWork, now: number) => ({
  requestId,
  method,
  route: route(),
  elapsedMs: Math.round(now - startedAt),
});
