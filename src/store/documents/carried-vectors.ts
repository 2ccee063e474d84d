import { nextTurn } from "../../async/yield.ts";
import type { DocumentRecord, NewSnippet } from "../../domain/records.ts";
import { embeddingInputHash } from "../../text/chunk/chunk.ts";
import {
  allOfVectorSets,
  filledSet,
  type LiveVectorSet,
  noVectorRows,
  type VectorRows,
} from "../search/live-vector-sets.ts";
import { toSnippetPairs } from "../search/metadata.ts";
import type { StoredVector } from "../search/vector-rows.ts";
import { createHeldVectors, type HeldVector } from "../vectors/held-vectors.ts";
import type { DocumentTables } from "./document-tables.ts";

type Revised = DocumentRecord & { revision: string };

/** What the rows of a document carry of it. */
const labelOf = ({ id, organizationId, partitionId, revision, metadata }: Revised) => ({
  organizationId,
  documentId: id,
  partitionId,
  revision,
  metadataPairs: toSnippetPairs(metadata),
});

/** Vectors of a revision for the one that replaces it, so that only what is new has to be made. */
export interface CarriedVectors {
  /** All vectors, for a revision that has the same snippets under another label. */
  relabeled(revision: string, document: Revised): Promise<VectorRows>;
  /** Those whose input is that of a new snippet, at its position. */
  reused(
    revision: string,
    document: Revised,
    snippets: readonly Pick<NewSnippet, "position" | "context" | "text">[],
  ): Promise<VectorRows>;
}

/** Snippets hashed before other work gets a turn: some milliseconds. */
const hashedAtOnce = 1_000;

/** @returns for each snippet, the hash of its embedding input */
const hashesOf = async (snippets: readonly Pick<NewSnippet, "context" | "text">[]): Promise<string[]> => {
  const hashes: string[] = [];
  for (const snippet of snippets) {
    if (hashes.length % hashedAtOnce === hashedAtOnce - 1) await nextTurn();
    hashes.push(embeddingInputHash(snippet));
  }
  return hashes;
};

export const createCarriedVectors = ({
  vectorSets: sets,
  lacking,
}: Pick<DocumentTables, "vectorSets" | "lacking">): CarriedVectors => {
  const readers = new WeakMap<LiveVectorSet, ReturnType<typeof createHeldVectors>>();

  const heldBy = (set: LiveVectorSet, revision: string): Promise<HeldVector[]> => {
    let read = readers.get(set);
    if (read === undefined) {
      read = createHeldVectors(set);
      readers.set(set, read);
    }
    return read(revision);
  };

  /** Whether it is known without a query that a set holds nothing of a revision: the model has not come that far. */
  const isBare = (set: LiveVectorSet, revision: string): boolean =>
    set === filledSet(sets) && lacking.isKnown() && lacking.get(revision)?.mayHoldSome === false;

  /** The vectors of a revision in each set that has some. */
  const heldOf = async (revision: string): Promise<[LiveVectorSet, HeldVector[]][]> => {
    const found = await Promise.all(
      allOfVectorSets(sets)
        .filter((set) => !isBare(set, revision))
        .map(async (set): Promise<[LiveVectorSet, HeldVector[]]> => [set, await heldBy(set, revision)]),
    );
    return found.filter(([, held]) => held.length > 0);
  };

  return {
    async relabeled(revision, document) {
      const label = labelOf(document);
      const found = await heldOf(revision);
      return new Map(found.map(([set, held]) => [set, held.map((one): StoredVector => ({ ...label, ...one }))]));
    },
    async reused(revision, document, snippets) {
      const found = await heldOf(revision);
      if (found.length === 0) return noVectorRows;
      const label = labelOf(document);
      const hashes = await hashesOf(snippets);
      const carried = new Map<LiveVectorSet, StoredVector[]>();
      for (const [set, held] of found) {
        const known = new Map(held.map(({ inputHash, vector }) => [inputHash, vector]));
        const reused = snippets.flatMap(({ position }, index): StoredVector[] => {
          const inputHash = hashes[index] ?? "";
          const vector = known.get(inputHash);
          return vector === undefined ? [] : [{ ...label, position, inputHash, vector }];
        });
        if (reused.length > 0) carried.set(set, reused);
      }
      return carried;
    },
  };
};
