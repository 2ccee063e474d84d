import { ProviderError } from "../../providers/contract.ts";

/** Pauses while the new model cannot be used: one second, doubling. */
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;

/** How long to wait after a failure; as long as the server asks, up to a minute. @param failures in a row, from 1 */
export const pauseAfter = (failure: unknown, failures: number): number => {
  const growing = Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs);
  const asked = failure instanceof ProviderError ? (failure.retryAfterMs ?? 0) : 0;
  return Math.min(Math.max(growing, asked), maxPauseMs);
};
