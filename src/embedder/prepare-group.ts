import type { DocumentRecord, VectorSetInfo } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
import { embeddingInput, embeddingInputHash } from "../text/chunk/chunk.ts";
import type { Doubts } from "./doubts.ts";

/** Hashes looked up at a time. */
const maxHashes = 1_000;

export interface PrepareOptions {
  store: Pick<Store, "indexes" | "vectors">;
  set: VectorSetInfo;
  doubts: Doubts;
  /** Ids of sets whose vectors can be taken. */
  sources: readonly string[];
  /** Vectors that are made and not written yet, by hash of their input: kept over failures of the model. */
  made: Map<string, Float32Array>;
}

/** A document's snippets, as far as their vectors need them. */
export interface Work {
  document: DocumentRecord;
  snippets: readonly { position: number; hash: string; input: string }[];
}

/** A group with what its snippets have already, by hash, and the texts that the model is to get. */
export interface Prepared {
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
      else if (options.doubts.isSetAside(hash)) found.set(hash, new Float32Array(options.set.dimensions));
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
