import { type Notifier, pause } from "../async/waiting.ts";
import type { DocumentRecord } from "../domain/records.ts";
import { fillGroup, prepareGroup } from "./fill-group.ts";
import { type RetryOptions, retryTexts } from "./retry-texts.ts";

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
