import { createCpuMeter, untilIdleCheck } from "../async/idle-check.ts";
import type { Logger } from "../log/log.ts";
import type { Lifecycle, RequestAtWork } from "./lifecycle.ts";

/** Watches how long the event loop is blocked: meanwhile no request makes progress. */
interface EventLoopWatch {
  /** The largest delay of the last minute. */
  maxDelayMs(): number;
  stop(): void;
}

interface EventLoopOptions {
  lifecycle: Pick<Lifecycle, "active" | "atWork" | "onEnter" | "state">;
  log: Pick<Logger, "warn">;
}

/** While there is work, shorter delays are not noticed. */
const sampleEveryMs = 50;
const checkEveryMs = 1_000;
/** A check since whose last the process took a smaller share of CPU time, and answered nothing, follows a rest. */
const restingCpuShare = 0.02;
/** Checks after a rest until the samples stop: requests that follow one another do not start and stop them. */
const restingChecks = 3;
const rememberedMs = 60_000;
/** A longer delay is logged as a warning. */
const warnAboveMs = 1_000;
const maxNamed = 20;

/**
 * Checks once a second while there is work, and every few seconds at rest. A delay over a second is logged with the
 * requests at work, without anything they sent. Between the checks it takes samples, from the moment a request comes or
 * the process is seen to work until it rests: an idle server is woken by the checks alone. A delay that no request began,
 * while the server rested, is measured too short, by the time until the next check.
 */
export const watchEventLoop = ({ lifecycle, log }: EventLoopOptions): EventLoopWatch => {
  const takeCpuMs = createCpuMeter();
  let lately: { at: number; delayMs: number }[] = [];
  /** Since the last check. */
  let maxDelayMs = 0;
  let checkedAt = performance.now();
  let checkDueAt = 0;
  let timer: ReturnType<typeof setTimeout>;
  let sampler: ReturnType<typeof setInterval> | null = null;
  let sampleDueAt = 0;
  let rested = 0;

  const noteDelay = (): void => {
    const now = performance.now();
    maxDelayMs = Math.max(maxDelayMs, now - (sampler === null ? checkDueAt : sampleDueAt));
    sampleDueAt = now + sampleEveryMs;
  };
  const scheduleCheck = (ms: number): void => {
    clearTimeout(timer);
    checkDueAt = performance.now() + ms;
    timer = setTimeout(check, ms);
    timer.unref();
  };
  const startSamples = (): void => {
    rested = 0;
    if (sampler !== null) return;
    noteDelay(); // the check may be late
    scheduleCheck(checkEveryMs);
    sampleDueAt = performance.now() + sampleEveryMs;
    sampler = setInterval(noteDelay, sampleEveryMs);
    sampler.unref();
  };
  const stopSamples = (): void => {
    if (sampler !== null) clearInterval(sampler);
    sampler = null;
  };
  const followWork = (elapsedMs: number): void => {
    if (takeCpuMs() >= restingCpuShare * elapsedMs || lifecycle.active > 0) startSamples();
    else if (++rested === restingChecks) stopSamples();
  };

  const check = (): void => {
    noteDelay();
    const now = performance.now();
    const delayMs = maxDelayMs;
    maxDelayMs = 0;
    followWork(now - checkedAt);
    checkedAt = now;
    scheduleCheck(sampler === null ? untilIdleCheck(now) : checkEveryMs);
    lately = lately.filter(({ at }) => now - at < rememberedMs);
    lately.push({ at: now, delayMs });
    // Called each time, so that it returns only the requests that ended since the last check.
    const requests = lifecycle.atWork(Math.min(delayMs, warnAboveMs));
    // During the start no request waits.
    if (delayMs <= warnAboveMs || lifecycle.state === "starting") return;
    warnOfDelay(log, delayMs, requests, now);
  };
  scheduleCheck(checkEveryMs);
  const forget = lifecycle.onEnter(startSamples);

  return {
    maxDelayMs: () => Math.max(maxDelayMs, ...lately.map(({ delayMs }) => delayMs)),
    stop() {
      forget();
      clearTimeout(timer);
      stopSamples();
    },
  };
};

/** @param requests that were at work meanwhile; the youngest are named */
const warnOfDelay = (
  log: EventLoopOptions["log"],
  delayMs: number,
  requests: readonly RequestAtWork[],
  now: number,
): void => {
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

const describe = ({ requestId, method, route, startedAt }: RequestAtWork, now: number) => ({
  requestId,
  method,
  route: route(),
  elapsedMs: Math.round(now - startedAt),
});
