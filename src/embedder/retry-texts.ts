import { ProviderError } from "../../providers/contract.ts";
import { notifiedOrPause } from "../async/waiting.ts";
import type { DocumentRecord } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import { createFoundWriter, type FillGroupOptions, type PrepareOptions, prepareGroup } from "./fill-group.ts";
import { pauseAfter } from "./retry-pause.ts";

/** A text that failed so often alone, while the model took others after each time, is set aside. */
const maxFailures = 3;
/** Failures other than a refusal may pass by themselves: more time is between two tries. */
const patience = 3;
/** A document's turn ends with the text that is being tried after this time. */
const maxTurnMs = 10_000;

export interface RetryOptions extends FillGroupOptions, PrepareOptions {
  store: PrepareOptions["store"];
  log: Logger;
}

const pauseOf = (failure: ProviderError, failures: number): number => {
  const isOfText = failure.kind === "bad_answer" || failure.kind === "too_long";
  return pauseAfter(failure, failures) * (isOfText ? 1 : patience);
};

/**
 * Gives the texts of listed documents to the model again, one in a call, while others are embedded. A text that is set aside
 * gets a vector of zeros: full text and the static vectors find it.
 * @throws ProviderError if the model takes nothing; the signal's reason
 */
export const retryTexts = async (options: RetryOptions, signal: AbortSignal): Promise<void> => {
  const { retries } = options;
  for (;;) {
    signal.throwIfAborted();
    const { count } = retries.changed;
    const document = retries.next();
    if (document === null) await notifiedOrPause(retries.changed, count, retries.dueInMs(), signal);
    else await tryDocument(document, options, signal);
  }
};

const tryDocument = async (document: DocumentRecord, options: RetryOptions, signal: AbortSignal): Promise<void> => {
  const { store, retries, made } = options;
  const isGone = (): boolean => document.revision === null || !store.vectors.isLacking(document.revision);
  if (isGone()) return retries.settle(document);
  const prepared = await prepareGroup([document], options);
  const { found, missing } = prepared;
  const endsAt = performance.now() + maxTurnMs;
  let pauseMs = 0;
  // Those that failed less often first, so that each gets a turn.
  const texts = [...missing].sort(([one], [other]) => retries.failures(one) - retries.failures(other));
  for (const [hash, text] of texts) {
    if (performance.now() > endsAt || isGone()) break;
    signal.throwIfAborted();
    // Counted before the call: if nothing is taken after it, this one does not come first again.
    const failures = retries.failures(hash) + 1;
    retries.setFailures(hash, failures);
    retries.postpone(document, pauseAfter(null, failures) * patience);
    const vector = await embedText({ hash, text, failures, document }, options);
    if (vector instanceof ProviderError) {
      pauseMs = Math.max(pauseMs, pauseOf(vector, failures));
      continue;
    }
    made.set(hash, vector);
    found.set(hash, vector);
  }
  const isWhole = await createFoundWriter(prepared, options)();
  if (isWhole || isGone()) retries.settle(document);
  else retries.postpone(document, pauseMs);
};

interface TextToRetry {
  hash: string;
  text: string;
  /** With the one that this try may be. */
  failures: number;
  document: DocumentRecord;
}

/** @returns zeros for a text that is set aside; the failure of one that is tried again */
const embedText = async (
  { hash, text, failures, document }: TextToRetry,
  { feed, set, retries, log }: RetryOptions,
): Promise<Float32Array | ProviderError> => {
  // It failed often enough when the model took nothing after it. By now the model takes others again.
  const outcome = failures > maxFailures ? null : await feed.embedAlone(text);
  if (outcome instanceof Float32Array) return outcome;
  if (outcome !== null && failures < maxFailures) return outcome;
  retries.setAside(hash);
  const { id: documentId, organizationId } = document;
  const reason = outcome?.message ?? "each time, the server failed for everything";
  log.warn(
    { documentId, organizationId, inputHash: hash, model: set.model, reason },
    "a text that the model refuses has no vector",
  );
  return new Float32Array(set.dimensions);
};
