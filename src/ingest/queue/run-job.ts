import type { KeyedMutex } from "../../async/keyed-mutex.ts";
import type { Waiting } from "./backlog.ts";
import { maxStarts, type ProcessDependencies, processDocument } from "./process-document.ts";

/**
 * Only a server that has run for this long starts a document for the last time: a server that is killed again and again
 * is not the document's fault.
 */
const lastStartAfterMs = 5_000;

export interface JobDependencies extends ProcessDependencies {
  /** Held by one document at a time of those whose processing was cut off before. */
  suspects: KeyedMutex;
  /** When the queue was created (`performance.now()`). */
  startedAt: number;
}

/**
 * Processes one waiting document to its end: published, failed with its reason, or put back. Documents that were being
 * processed when the server died are processed one after another, so that one that kills it again is not counted
 * against the others.
 * @param onStart called when the document's turn has come
 * @returns the pause in milliseconds before the next attempt; null where there is nothing more to do
 */
export const runJob = async (
  deps: JobDependencies,
  waiting: Waiting,
  signal: AbortSignal,
  onStart: () => void,
): Promise<number | null> => {
  const { id, organizationId, accepted } = waiting;
  const run = () => processDocument(deps, waiting, signal, onStart);
  if (accepted !== undefined) return await run();
  const known = await deps.store.documents.get({ organizationId, partitionId: null }, id).catch(() => null);
  if (known === null || known.begun === 0) return await run();
  const notBefore = known.begun < maxStarts - 1 ? 0 : deps.startedAt + lastStartAfterMs;
  return await runAsSuspect(deps.suspects, notBefore - performance.now(), signal, run);
};

/** @returns null at once where the job is aborted while it waits */
const runAsSuspect = async (
  suspects: KeyedMutex,
  pauseMs: number,
  signal: AbortSignal,
  run: () => Promise<number | null>,
): Promise<number | null> => {
  const aborted = Promise.withResolvers<null>();
  const leave = () => aborted.resolve(null);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  const rested = Promise.withResolvers<void>();
  const timer = setTimeout(rested.resolve, Math.max(0, pauseMs));
  const turn = rested.promise.then(() =>
    suspects("suspect", async () => {
      signal.removeEventListener("abort", leave); // the running job handles the signal itself
      return signal.aborted ? null : await run();
    }),
  );
  return await Promise.race([turn, aborted.promise]).finally(() => clearTimeout(timer));
};
