import { nextTurn } from "../../async/yield.ts";
import type { DocumentRecord, NewSnippet } from "../../domain/records.ts";
import { embeddingInputHash } from "../../text/chunk/chunk.ts";
import { isOneOf } from "../engine/filters.ts";
import {
  allOfVectorSets,
  filledSet,
  type LiveVectorSet,
  noVectorRows,
  type VectorRows,
} from "../search/live-indexes.ts";
import { toSnippetPairs } from "../search/scope-filter.ts";
import type { StoredVector } from "../search/snippet-rows.ts";
import type { DocumentTables } from "./document-tables.ts";

/** A vector of a revision, without what the row carries of its document. */
type HeldVector = Pick<StoredVector, "position" | "inputHash" | "vector">;

/** Revisions in one query. */
const maxRevisions = 64;

interface Waiting {
  readonly revision: string;
  readonly found: HeldVector[];
  readonly done: PromiseWithResolvers<HeldVector[]>;
}

/**
 * Reads the vectors that a set holds of a revision. Callers that wait while a query runs share the next one: of 50
 * documents that are replaced at once, 50 queries took ten times as long as the rest of the work.
 */
const createHeldVectors = ({ segments }: LiveVectorSet): ((revision: string) => Promise<HeldVector[]>) => {
  let waiting: Waiting[] = [];
  let isReading = false;

  const read = async (batch: readonly Waiting[]): Promise<void> => {
    const byRevision = Map.groupBy(batch, ({ revision }) => revision);
    try {
      const where = isOneOf("revision", [...byRevision.keys()]);
      await segments.visit(["revision", "position", "inputHash", "vector"], where, (row) => {
        const position = row.number("position");
        const inputHash = row.string("inputHash");
        const vector = row.vector("vector")?.slice() ?? null;
        for (const { found } of byRevision.get(row.string("revision")) ?? [])
          found.push({ position, inputHash, vector });
        return true;
      });
      for (const { found, done } of batch) done.resolve(found);
    } catch (error) {
      for (const { done } of batch) done.reject(error);
    }
  };

  const drain = async (): Promise<void> => {
    isReading = true;
    await nextTurn(); // callers of the same moment share a query
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxRevisions);
      waiting = waiting.slice(maxRevisions);
      await read(batch);
    }
    isReading = false;
  };

  return (revision) => {
    const done = Promise.withResolvers<HeldVector[]>();
    waiting.push({ revision, found: [], done });
    if (!isReading) void drain();
    return done.promise;
  };
};

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
