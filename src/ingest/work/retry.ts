import { ProviderError } from "../../../providers/contract.ts";
import { ApiError } from "../../domain/errors.ts";
import { isOutOfFiles } from "../../system/out-of-files.ts";

/** Attempts before a document is failed: with the pauses below, more than two hours of an outage. */
export const maxAttempts = 30;
/** An address that does not answer is more likely wrong than down: the document fails soon. */
const maxFetchAttempts = 3;
/** A file that reaches the parser's time limit once mostly does so again. */
const maxParserTimeouts = 2;
const firstPauseMs = 1_000;
const maxPauseMs = 300_000;

/** The attempts that a failure of this kind allows; 1 where another attempt cannot help. */
const attemptsAllowed = (error: unknown): number => {
  if (error instanceof ProviderError) {
    if (error.kind === "too_long" || error.kind === "aborted") return 1;
    if (error.service !== "parser") return maxAttempts;
    if (error.kind === "timeout") return maxParserTimeouts;
    return error.kind === "bad_answer" && (error.status ?? 500) < 500 ? 1 : maxAttempts;
  }
  if (isOutOfFiles(error)) return maxAttempts;
  if (!(error instanceof ApiError)) return 1;
  if (error.code === "fetch_timeout") return maxFetchAttempts;
  // With a cause there was no answer at all; without one the other server answered with an error.
  if (error.code === "fetch_failed" && error.cause !== undefined) return maxFetchAttempts;
  if (error.code === "storage_unavailable") return maxAttempts;
  return 1;
};

/**
 * The pause before the next attempt at failed work.
 * @param attempts attempts before this one
 * @param random in [0, 1): spreads documents that failed together
 * @returns milliseconds; null where the failure is final
 */
export const pauseBeforeRetry = (error: unknown, attempts: number, random: number): number | null => {
  if (attempts + 1 >= attemptsAllowed(error)) return null;
  const backoff = Math.min(firstPauseMs * 2 ** attempts, maxPauseMs);
  const requested = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(Math.max(backoff, requested), maxPauseMs) * (0.75 + random / 4);
};
