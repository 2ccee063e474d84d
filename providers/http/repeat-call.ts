import { setTimeout } from "node:timers/promises";
import { ProviderError } from "../contract.ts";
import type { Destination } from "./provider.ts";
import { unlessAborted } from "./watch-body.ts";

/**
 * `patient`: nobody waits for the call, and it may be made twice; it is repeated after a 5xx or a dropped connection too.
 * `usual`: a caller waits who has nothing without the answer. `hurried`: a caller waits who can do without it.
 */
export type Pace = "patient" | "usual" | "hurried";

/** Attempts of a call that a caller waits for. */
const maxAttempts = 3;
/** No attempt of a hurried call begins later than this after the first: a busy server mostly asks for longer. */
const maxHurriedMs = 1_000;
/** Pauses of a patient call: some eight seconds in all, in which a server that was restarted is back. */
const patientPausesMs = [250, 500, 1_000, 2_000, 4_000];

/** Failures that another attempt cannot change, though they come as 5xx: the model is not able to do this. */
const lasting = /\bNaN\b|unsupported|does not support|not implemented|system memory/i;

/** The model's process died: by chance, or because the input is too long for it. Such an input is split later. */
const mayBeTheInput = /EOF|too large|exceed/i;

/** A connection that failed, or an answer of 5xx. */
const isPassing = ({ kind, status, serverWords }: ProviderError): boolean =>
  (kind === "unreachable" || (status ?? 0) >= 500) && !lasting.test(serverWords ?? "");

/**
 * How long to wait before a call is repeated; null if it must not be repeated.
 * @param attempts made so far, from 1
 * @param isPatient whether it is a patient call whose patience is not spent
 */
const pauseBefore = (error: unknown, attempts: number, isPatient: boolean): number | null => {
  if (!(error instanceof ProviderError)) return null;
  if (error.kind === "rate_limited" && attempts < maxAttempts) return error.retryAfterMs ?? 500 * 2 ** attempts;
  // Nothing was answered yet: usually a pooled connection that the server had already closed.
  if (error.kind === "unreachable" && error.status === null && attempts === 1) return 50;
  const maxPauses = mayBeTheInput.test(error.serverWords ?? "") ? 1 : patientPausesMs.length;
  const pauseMs = isPatient && isPassing(error) && attempts <= maxPauses ? patientPausesMs[attempts - 1] : undefined;
  return pauseMs === undefined ? null : Math.max(pauseMs, error.retryAfterMs ?? 0);
};

/** Whether patient calls to a server still wait. */
export interface Patience {
  /** All attempts of a patient call have failed. Until a call succeeds, no other call waits for another attempt. */
  isSpent: boolean;
}

interface RepeatOptions {
  /** No attempt begins later than this after the first. */
  timeoutMs: number;
  pace: Pace;
  patience: Patience;
}

/** One call, repeated where that helps and there is time. @throws what the last attempt threw */
export const repeatCall = async <T>(
  attempt: () => Promise<T>,
  { timeoutMs, pace, patience }: RepeatOptions,
  signal: AbortSignal,
): Promise<T> => {
  const giveUpAt = Date.now() + (pace === "hurried" ? Math.min(timeoutMs, maxHurriedMs) : timeoutMs);
  for (let attempts = 1; ; attempts += 1) {
    try {
      const value = await attempt();
      patience.isSpent = false;
      return value;
    } catch (error) {
      const canWait = pace === "patient" && !patience.isSpent;
      const pauseMs = pauseBefore(error, attempts, canWait);
      if (pauseMs === null || Date.now() + pauseMs >= giveUpAt) {
        if (canWait && pauseBefore(error, 1, true) !== null) patience.isSpent = true;
        throw error;
      }
      await setTimeout(pauseMs, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
};

/** A call that is under way. */
interface SharedCall<T> {
  answer: Promise<T>;
  /** Callers that wait for it. */
  waiting: number;
  abandoned: AbortController;
}

/**
 * Asks once and keeps the answer; a failure is not kept, so the next caller asks again. Callers of one pace share a call
 * that is under way: one in a hurry must not wait for the repeats of a patient one. Each may leave; when all have left,
 * the call is aborted.
 * @returns a function that throws ProviderError `aborted` if its signal fires, and what `ask` throws
 */
export const askOnce = <T>(
  destination: Pick<Destination, "service">,
  ask: (signal: AbortSignal, pace: Pace) => Promise<T>,
): ((signal: AbortSignal, pace?: Pace) => Promise<T>) => {
  let kept: { answer: T } | null = null;
  const underWay = new Map<Pace, SharedCall<T>>();

  const begin = (pace: Pace): SharedCall<T> => {
    const abandoned = new AbortController();
    const answer = ask(abandoned.signal, pace).then(
      (found) => {
        kept = { answer: found };
        return found;
      },
      (error: unknown) => {
        if (underWay.get(pace) === call) underWay.delete(pace);
        throw error;
      },
    );
    const call = { answer, waiting: 0, abandoned };
    underWay.set(pace, call);
    return call;
  };

  return async (signal, pace = "usual") => {
    if (kept !== null) return kept.answer;
    const call = underWay.get(pace) ?? begin(pace);
    call.waiting += 1;
    try {
      return await unlessAborted(call.answer, destination, signal);
    } finally {
      call.waiting -= 1;
      if (call.waiting === 0 && signal.aborted) {
        // Who comes now must not join a call that ends.
        if (underWay.get(pace) === call) underWay.delete(pace);
        call.abandoned.abort(signal.reason);
      }
    }
  };
};
