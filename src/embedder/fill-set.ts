import type { Bell } from "../async/bell.ts";
import type { DocumentRecord, VectorSetInfo } from "../domain/records.ts";
import type { SnippetVector, Store } from "../store/contract.ts";
import { embeddingInput, embeddingInputHash } from "../text/chunk/embedding-input.ts";
import { groupsOf } from "./document-groups.ts";
import type { VectorFeed } from "./vector-feed.ts";

/** Documents looked up at a time. */
const pageSize = 256;
/** Groups of documents under way at once: one is read or written while the other is with the model. */
const maxGroups = 3;
/** A larger document has a group of its own, and one such group is under way at a time. */
const manySnippets = 1_024;
/** Hashes looked up at a time. */
const maxHashes = 1_000;

export interface FillOptions {
  store: Pick<Store, "indexes" | "vectors">;
  set: VectorSetInfo;
  /** Ids of sets whose vectors can be taken, this one among them. */
  sources: readonly string[];
  feed: VectorFeed;
  /** Vectors that are made and not written yet, by hash of their input: kept over failures of the model. */
  made: Map<string, Float32Array>;
  /** Rings when documents were published. */
  published: Bell;
}

/** A document's snippets, as far as their vectors need them. */
interface Work {
  document: DocumentRecord;
  snippets: readonly { position: number; hash: string; input: string }[];
}

/**
 * Makes the vectors that a set lacks, newest document first; documents that come meanwhile go before the older ones. Keeps
 * no more than three groups of documents in memory, with one large document among them, which is embedded in parts and
 * written whole.
 * @throws ProviderError if the model fails: what was written stays; the signal's reason
 */
export const fillSet = async (options: FillOptions, signal: AbortSignal): Promise<void> => {
  const { published, store } = options;
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const underWay = createGroupsUnderWay((error) => failed.abort(error));
  try {
    for (;;) {
      stop.throwIfAborted();
      const seen = published.rings;
      const page = await store.vectors.lacking(pageSize + underWay.documents);
      const fresh = page.filter(({ revision }) => !underWay.has(revision));
      if (fresh.length === 0 && underWay.groups === 0) return;
      let begun = 0;
      for (const group of groupsOf(fresh)) {
        if (underWay.groups >= maxGroups) await underWay.nextEnd();
        stop.throwIfAborted();
        if (begun > 0 && published.rings !== seen) break;
        if (underWay.hasLarge && isLarge(group)) continue;
        underWay.begin(group, fillGroup(group, options, stop));
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

const isLarge = (group: readonly DocumentRecord[]): boolean => (group[0]?.progress.chunks ?? 0) > manySnippets;

/** The groups that are being worked on. @param onFailure called when one of them fails */
const createGroupsUnderWay = (onFailure: (error: unknown) => void) => {
  const running = new Map<readonly DocumentRecord[], Promise<void>>();
  const revisions = new Set<string | null>();
  return {
    get groups() {
      return running.size;
    },
    get documents() {
      return revisions.size;
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

const fillGroup = async (
  group: readonly DocumentRecord[],
  options: FillOptions,
  signal: AbortSignal,
): Promise<void> => {
  const { store, set, feed, made } = options;
  const work = await workOn(group, store);
  signal.throwIfAborted();
  const found = await knownVectors(work, options);
  signal.throwIfAborted();
  const missing = new Map<string, string>();
  for (const { snippets } of work)
    for (const { hash, input } of snippets) {
      const kept = made.get(hash);
      if (kept !== undefined) found.set(hash, kept);
      else if (!found.has(hash)) missing.set(hash, input);
    }
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

/** For a document that was replaced or removed meanwhile it finds too little; the store then accepts none of it. */
const workOn = async (
  group: readonly DocumentRecord[],
  { indexes }: Pick<Store, "indexes">,
): Promise<Work[]> => {
  const held = await indexes.snippetsOf(group);
  return group.map((document) => ({
    document,
    snippets: (held.get(document.id) ?? []).map((snippet) => ({
      position: snippet.position,
      hash: embeddingInputHash(snippet),
      input: embeddingInput(snippet),
    })),
  }));
};

/** Vectors that the organization's documents have already, by hash. One of zeros is tried again. */
const knownVectors = async (
  work: readonly Work[],
  { store, sources }: FillOptions,
): Promise<Map<string, Float32Array>> => {
  const byOrganization = new Map<string, Set<string>>();
  for (const { document, snippets } of work) {
    const hashes = byOrganization.get(document.organizationId) ?? new Set();
    byOrganization.set(document.organizationId, hashes);
    for (const { hash } of snippets) hashes.add(hash);
  }
  const found = new Map<string, Float32Array>();
  for (const [organizationId, hashes] of byOrganization)
    for (const source of sources) {
      const wanted = [...hashes].filter((hash) => !found.has(hash));
      for (let start = 0; start < wanted.length; start += maxHashes) {
        const part = wanted.slice(start, start + maxHashes);
        for (const [hash, vector] of await store.vectors.known(source, organizationId, part))
          if (vector.some((value) => value !== 0)) found.set(hash, vector);
      }
    }
  return found;
};
