import type { DocumentRecord, VectorSetInfo } from "../domain/records.ts";
import type { SnippetVector, Store } from "../store/contract.ts";
import { embeddingInput, embeddingInputHash } from "../text/chunk/chunk.ts";
import type { RetryList } from "./retry-list.ts";
import type { VectorFeed } from "./vector-feed.ts";

/** Hashes looked up at a time. */
const maxHashes = 1_000;

export interface PrepareOptions {
  store: Pick<Store, "indexes" | "vectors">;
  set: VectorSetInfo;
  retries: RetryList;
  /** Ids of sets whose vectors can be taken. */
  sources: readonly string[];
  /** Vectors that are made and not written yet, by hash of their input: kept over failures of the model. */
  made: Map<string, Float32Array>;
}

/** A document's snippets, as far as their vectors need them. */
interface Work {
  document: DocumentRecord;
  snippets: readonly { position: number; hash: string; input: string }[];
}

/** A group with what its snippets have already, by hash, and the texts that the model is to get. */
interface Prepared {
  work: readonly Work[];
  found: Map<string, Float32Array>;
  missing: ReadonlyMap<string, string>;
}

export const prepareGroup = async (group: readonly DocumentRecord[], options: PrepareOptions): Promise<Prepared> => {
  const work = await workOn(group, options.store);
  const found = await knownVectors(work, options);
  const missing = new Map<string, string>();
  for (const { snippets } of work)
    for (const { hash, input } of snippets) {
      const kept = options.made.get(hash);
      if (kept !== undefined) found.set(hash, kept);
      else if (options.retries.isSetAside(hash)) found.set(hash, new Float32Array(options.set.dimensions));
      else if (!found.has(hash)) missing.set(hash, input);
    }
  return { work, found, missing };
};

/** For a document that was replaced or removed meanwhile it finds too little; the store then accepts none of it. */
const workOn = async (group: readonly DocumentRecord[], { indexes }: Pick<Store, "indexes">): Promise<Work[]> => {
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
  { store, sources }: PrepareOptions,
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

interface WriteFoundOptions {
  store: Pick<Store, "vectors">;
  set: VectorSetInfo;
  /** Vectors that are made and not written yet, by hash of their input. */
  made: Map<string, Float32Array>;
}

/**
 * Writes the vectors of a group that are found by now and not written yet. A document counts as complete with the call
 * that finds all of them.
 * @returns whether nothing is left to write
 */
export const createFoundWriter = (
  { work, found }: Pick<Prepared, "work" | "found">,
  { store, set, made }: WriteFoundOptions,
): (() => Promise<boolean>) => {
  let unwritten = work;
  return async () => {
    const additions = unwritten
      .map(({ document, snippets }) => ({
        document,
        vectors: snippets.flatMap(({ position, hash }): SnippetVector[] => {
          const vector = found.get(hash);
          return vector === undefined ? [] : [{ position, inputHash: hash, vector }];
        }),
        isPart: snippets.some(({ hash }) => !found.has(hash)),
      }))
      .filter(({ vectors, isPart }) => !isPart || vectors.length > 0);
    if (additions.length > 0) await store.vectors.add(set.id, additions);
    unwritten = unwritten
      .map(({ document, snippets }) => ({ document, snippets: snippets.filter(({ hash }) => !found.has(hash)) }))
      .filter(({ snippets }) => snippets.length > 0);
    for (const { vectors } of additions) for (const { inputHash } of vectors) made.delete(inputHash);
    return unwritten.length === 0;
  };
};

/** Texts of a large document that are embedded and written together: a stop costs no more than these. */
const partTexts = 512;

export interface FillGroupOptions extends WriteFoundOptions {
  feed: VectorFeed;
  retries: RetryList;
}

/**
 * Makes the vectors of a group and writes them. Texts of documents that are replaced or removed meanwhile are not given to
 * the model any more; a document with a text that was in a failed call is listed to be tried again, without what was made of it being lost.
 * @throws ProviderError if the model takes nothing; the signal's reason
 */
export const fillGroup = async (prepared: Prepared, options: FillGroupOptions, signal: AbortSignal): Promise<void> => {
  const { work, found, missing } = prepared;
  const { store, feed, made, retries } = options;
  const writeFound = createFoundWriter(prepared, options);
  const texts = [...missing];
  const hashAt = (index: number): string => texts[index]?.[0] ?? "";
  const owners = ownersOf(prepared);
  const failed = new Set<string>();
  const isWanted = (hash: string): boolean =>
    owners.get(hash)?.some(({ revision }) => revision !== null && store.vectors.isLacking(revision)) === true;
  try {
    let start = 0;
    do {
      const first = start;
      await feed.embed({
        texts: texts.slice(first, first + partTexts).map(([, text]) => text),
        isWanted: (index) => isWanted(hashAt(first + index)),
        take(index, vector) {
          made.set(hashAt(first + index), vector);
          found.set(hashAt(first + index), vector);
        },
        fail: (index) => failed.add(hashAt(first + index)),
      });
      signal.throwIfAborted();
      await writeFound();
      start += partTexts;
    } while (start < texts.length);
  } finally {
    for (const { document, snippets } of work) if (snippets.some(({ hash }) => failed.has(hash))) retries.add(document);
  }
};

/** The documents that have a text, by hash of the text, of those that the model is to get. */
const ownersOf = ({ work, missing }: Prepared): Map<string, DocumentRecord[]> => {
  const owners = new Map<string, DocumentRecord[]>();
  for (const { document, snippets } of work)
    for (const { hash } of snippets) {
      if (!missing.has(hash)) continue;
      const known = owners.get(hash);
      if (known === undefined) owners.set(hash, [document]);
      else if (known.at(-1) !== document) known.push(document);
    }
  return owners;
};
