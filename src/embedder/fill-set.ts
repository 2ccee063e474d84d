import type { Bell } from "../async/bell.ts";
import { pause } from "../async/pause.ts";
import type { VectorSetInfo } from "../domain/records.ts";
import type { SnippetVector } from "../store/contract.ts";
import { groupsOf } from "./document-groups.ts";
import { createGroupsUnderWay, isLarge } from "./groups-under-way.ts";
import { type Prepared, type PrepareOptions, prepareGroup } from "./prepare-group.ts";
import type { VectorFeed } from "./vector-feed.ts";

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

export interface FillOptions extends PrepareOptions {
  set: VectorSetInfo;
  feed: VectorFeed;
  /** Rings when documents were published. */
  published: Bell;
}

/**
 * Makes the vectors that a set lacks, newest document first; documents that come meanwhile go before the older ones.
 * Keeps no more than three groups of documents in memory, with one large document among them, which is embedded in
 * parts and written whole.
 * @throws ProviderError if the model fails: what was written stays; the signal's reason
 */
export const fillSet = async (options: FillOptions, signal: AbortSignal): Promise<void> => {
  const { published, store, feed } = options;
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const underWay = createGroupsUnderWay((error) => failed.abort(error));
  let hasGathered = false;
  try {
    for (;;) {
      stop.throwIfAborted();
      const seen = published.rings;
      const page = await store.vectors.lacking(pageSize + underWay.documents);
      const fresh = page.filter(({ revision }) => !underWay.has(revision));
      if (fresh.length === 0 && underWay.groups === 0) return;
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
        if (begun > 0 && published.rings !== seen) break;
        if (underWay.hasLarge && isLarge(group)) continue;
        // One after another, so that the model gets the newest first; meanwhile it works on the groups before.
        const work = await prepareGroup(group, options);
        stop.throwIfAborted();
        underWay.begin(group, fillGroup(work, options, stop));
        begun += 1;
      }
      if (begun === 0) await Promise.race([underWay.nextEnd(), published.next(seen, stop)]);
    }
  } catch (error) {
    failed.abort(error);
    await underWay.allEnds();
    throw failed.signal.reason;
  }
};

const fillGroup = async (
  { work, found, missing }: Prepared,
  { store, set, feed, made }: FillOptions,
  signal: AbortSignal,
): Promise<void> => {
  const hashes = [...missing.keys()];
  await feed.embed([...missing.values()], (at, vector) => {
    const hash = hashes[at] as string;
    made.set(hash, vector);
    found.set(hash, vector);
  });
  signal.throwIfAborted();
  const additions = work.map(({ document, snippets }) => ({
    document,
    vectors: snippets.map(({ position, hash }): SnippetVector => {
      const vector = found.get(hash);
      if (vector === undefined) throw new Error("a snippet whose vector was not made");
      return { position, inputHash: hash, vector };
    }),
  }));
  await store.vectors.add(set.id, additions);
  for (const { snippets } of work) for (const { hash } of snippets) made.delete(hash);
};
