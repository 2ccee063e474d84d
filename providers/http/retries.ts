import { ProviderError } from "../contract.ts";

/** Tries of a call that somebody waits for. */
const MOST_TRIES = 3;
/** Pauses of a call that can wait: some eight seconds in all, in which a server that was restarted is back. */
const PATIENT_PAUSES_MS = [250, 500, 1_000, 2_000, 4_000];

/** Failures that another try makes no better, though they come as 5xx: the model cannot do this at all. */
const lasting = /\bNaN\b|unsupported|does not support|not implemented|system memory/i;

/** A runner that died: of a passing fault, or over an input that is too long for it, which is then split. */
const mayBeTheInput = /EOF|too large|exceed/i;

/** A connection that failed, and an answer of 5xx. */
const isPassing = ({ kind, status, serverWords }: ProviderError): boolean =>
  (kind === "unreachable" || (status ?? 0) >= 500) && !lasting.test(serverWords ?? "");

/**
 * How long to wait before a call is made again; null where that is wrong.
 * @param tries how often it was made so far, from 1
 * @param isPatient the call may be made twice and nobody waits for it: embeddings of documents
 */
export const pauseBefore = (error: unknown, tries: number, isPatient: boolean): number | null => {
  if (!(error instanceof ProviderError)) return null;
  if (error.kind === "rate_limited" && tries < MOST_TRIES) return error.retryAfterMs ?? 500 * 2 ** tries;
  // Nothing was answered yet: a pooled connection that the server had already closed is the common case.
  if (error.kind === "unreachable" && error.status === null && tries === 1) return 50;
  const most = mayBeTheInput.test(error.serverWords ?? "") ? 1 : PATIENT_PAUSES_MS.length;
  const pauseMs = isPatient && isPassing(error) && tries <= most ? PATIENT_PAUSES_MS[tries - 1] : undefined;
  return pauseMs === undefined ? null : Math.max(pauseMs, error.retryAfterMs ?? 0);
};
