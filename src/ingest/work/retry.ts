import { ProviderError } from "../../../providers/contract.ts";
import { ApiError } from "../../domain/errors.ts";

/** Tries of one document before it is failed; with the pauses below, more than two hours of an outage. */
export const MOST_ATTEMPTS = 30;
/** An address that does not answer is likelier to be wrong than ill: it is told soon. */
const MOST_FETCH_ATTEMPTS = 3;
/** What makes a parser run into its limit once mostly does so again. */
const MOST_PARSER_TIMEOUTS = 2;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

/** How often a failure of this kind may be met before the document is failed; 1 where trying again cannot help. */
const attemptsAllowed = (error: unknown): number => {
  if (error instanceof ProviderError) {
    if (error.kind === "too_long" || error.kind === "aborted") return 1;
    if (error.service !== "parser") return MOST_ATTEMPTS;
    if (error.kind === "timeout") return MOST_PARSER_TIMEOUTS;
    return error.kind === "bad_answer" && (error.status ?? 500) < 500 ? 1 : MOST_ATTEMPTS;
  }
  if (!(error instanceof ApiError)) return 1;
  if (error.code === "fetch_timeout") return MOST_FETCH_ATTEMPTS;
  // With a cause: there was no answer at all. Without: the far side answered, and said no.
  if (error.code === "fetch_failed" && error.cause !== undefined) return MOST_FETCH_ATTEMPTS;
  if (error.code === "storage_unavailable") return MOST_ATTEMPTS;
  return 1;
};

/**
 * When work that failed is to be tried again.
 * @param attempts how often it was tried before this time
 * @param random in [0, 1): spreads documents that failed together
 * @returns the pause in milliseconds, null where the failure is final
 */
export const pauseBeforeRetry = (error: unknown, attempts: number, random: number): number | null => {
  if (attempts + 1 >= attemptsAllowed(error)) return null;
  const growing = Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS);
  const asked = error instanceof ProviderError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(Math.max(growing, asked), LONGEST_PAUSE_MS) * (0.75 + random / 4);
};
