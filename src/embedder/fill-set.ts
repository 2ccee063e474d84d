import { ProviderError } from "../../providers/contract.ts";
import { type Notifier, notifiedOrPause, pause } from "../async/waiting.ts";
import type { DocumentRecord } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import {
  createFoundWriter,
  type FillGroupOptions,
  fillGroup,
  type PrepareOptions,
  prepareGroup,
} from "./fill-group.ts";

/**
 * Cuts a list of documents into groups that are looked up and written together, in order. A large document is a group of
 * its own.
 * @param maxSnippets of a group, asked anew for each
 */
export function* groupsOf(
  documents: readonly DocumentRecord[],
  maxSnippets: () => number,
): Generator<DocumentRecord[]> {
  let group: DocumentRecord[] = [];
  let size = 0;
  let most = maxSnippets();
  for (const document of documents) {
    if (group.length > 0 && (size + document.progress.chunks > most || group.length >= most)) {
      yield group;
      group = [];
      size = 0;
      most = maxSnippets();
    }
    group.push(document);
    size += document.progress.chunks;
  }
  if (group.length > 0) yield group;
}

/** A larger document has a group of its own, and one such group is under way at a time. */
const manySnippets = 1_024;

const isLarge = (group: readonly DocumentRecord[]): boolean => (group[0]?.progress.chunks ?? 0) > manySnippets;

/** The groups that are being worked on. @param onFailure called when one of them fails */
const createGroupsUnderWay = (onFailure: (error: unknown) => void) => {
  const running = new Map<readonly DocumentRecord[], Promise<void>>();
  const revisions = new Set<string | null>();
  return {
    get groups() {
      return running.size;
    },
    get hasLarge() {
      return [...running.keys()].some(isLarge);
    },
    has: (revision: string | null): boolean => revisions.has(revision),
    begin(group: readonly DocumentRecord[], work: Promise<void>): void {
      for (const { revision } of group) revisions.add(revision);
      const end = work.catch(onFailure).finally(() => {
        running.delete(group);
        for (const { revision } of group) revisions.delete(revision);
      });
      running.set(group, end);
    },
    nextEnd: async (): Promise<void> => void (await Promise.race(running.values())),
    allEnds: async (): Promise<void> => void (await Promise.all(running.values())),
  };
};

/** Documents looked up at a time. */
const pageSize = 256;
/**
 * A group has the texts of this many calls of the model, of a quarter of a second each: it is written once a second,
 * and a new document waits for the groups that are under way.
 */
const groupUnits = 4;
/**
 * Fewer documents than this wait a moment for more, to share calls and commits: each commit is a file more for the
 * searches of the set. They are found by full text and static vectors meanwhile.
 */
const fewDocuments = 16;
const gatherMs = 500;
/** Groups of documents under way at once: one is read or written while the other is with the model. */
const maxGroups = 3;

interface FillOptions extends RetryOptions {
  /** Notifies when documents were published. */
  published: Notifier;
}

/**
 * Makes the vectors that a set lacks, newest document first; documents that come meanwhile go before the older ones, and
 * those with a text that was in a failed call are tried meanwhile. Keeps no more than three groups of documents in memory, with one large document among
 * them, which is embedded and written in parts.
 * @throws ProviderError if the model takes nothing: what was written stays; the signal's reason
 */
export const fillSet = async (options: FillOptions, signal: AbortSignal): Promise<void> => {
  const { published, store, feed, retries } = options;
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  const underWay = createGroupsUnderWay((error) => end.abort(error));
  const isTaken = (revision: string): boolean => underWay.has(revision) || retries.has(revision);
  const trying = retryTexts(options, stop).catch((error: unknown) => end.abort(error));
  let hasGathered = false;
  try {
    for (;;) {
      stop.throwIfAborted();
      const seen = published.count;
      const seenRetries = retries.changed.count;
      const fresh = await store.vectors.lacking(pageSize, isTaken);
      if (fresh.length === 0 && underWay.groups === 0) {
        if (retries.size === 0) return;
        await Promise.race([published.next(seen, stop), retries.changed.next(seenRetries, stop)]);
        continue;
      }
      if (fresh.length > 0 && fresh.length < fewDocuments && !hasGathered) {
        await pause(gatherMs, stop);
        hasGathered = true;
        continue;
      }
      hasGathered = false;
      let begun = 0;
      for (const group of groupsOf(fresh, () => groupUnits * feed.unitTexts)) {
        if (underWay.groups >= maxGroups) await underWay.nextEnd();
        stop.throwIfAborted();
        if (begun > 0 && published.count !== seen) break;
        if (underWay.hasLarge && isLarge(group)) continue;
        // One after another, so that the model gets the newest first; meanwhile it works on the groups before.
        const prepared = await prepareGroup(group, options);
        stop.throwIfAborted();
        underWay.begin(group, fillGroup(prepared, options, stop));
        begun += 1;
      }
      if (begun === 0) await Promise.race([underWay.nextEnd(), published.next(seen, stop)]);
    }
  } catch (error) {
    end.abort(error);
    throw end.signal.reason;
  } finally {
    end.abort();
    await Promise.all([underWay.allEnds(), trying]);
  }
};

/** A text that failed so often alone, while the model took others after each time, is set aside. */
const maxFailures = 3;
/** Failures other than a refusal may pass by themselves: more time is between two tries. */
const patience = 3;
/** A document's turn ends with the text that is being tried after this time. */
const maxTurnMs = 10_000;

interface RetryOptions extends FillGroupOptions, PrepareOptions {
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
const retryTexts = async (options: RetryOptions, signal: AbortSignal): Promise<void> => {
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

/** Pauses while the new model cannot be used: one second, doubling. */
const firstPauseMs = 1_000;
const maxPauseMs = 60_000;

/** How long to wait after a failure; as long as the server asks, up to a minute. @param failures in a row, from 1 */
export const pauseAfter = (failure: unknown, failures: number): number => {
  const growing = Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs);
  const asked = failure instanceof ProviderError ? (failure.retryAfterMs ?? 0) : 0;
  return Math.min(Math.max(growing, asked), maxPauseMs);
};
