import type { DocumentRecord } from "../../domain/records.ts";
import type { VectorStore } from "../contract/vectors.ts";
import { isOneOf } from "../engine/filters.ts";
import { filledSet, type LiveVectorSet, type LiveVectorSets } from "../search/live-indexes.ts";
import { toSnippetPairs } from "../search/metadata.ts";
import { checkVector, isZero, type StoredVector } from "../search/snippet-rows.ts";
import type { LackingVectors } from "../vectors/lacking-vectors.ts";
import type { DocumentRecords } from "./document-records.ts";

type Addition = Parameters<VectorStore["add"]>[1][number];

interface VectorAdditionsOptions {
  sets: LiveVectorSets;
  lacking: LackingVectors;
  records: Pick<DocumentRecords, "findMany">;
}

/** Names a row of one revision. */
const keyOf = (revision: string, position: number, inputHash: string): string => `${revision} ${position} ${inputHash}`;

/** The documents as they are stored: what the rows carry of them decides who finds the rows. */
const storedOf = async (
  records: VectorAdditionsOptions["records"],
  additions: readonly Addition[],
): Promise<Map<string, DocumentRecord>> => {
  const stored = new Map<string, DocumentRecord>();
  for (const [organizationId, own] of Map.groupBy(additions, ({ document }) => document.organizationId)) {
    const ids = own.map(({ document }) => document.id);
    for (const document of await records.findMany({ organizationId, partitionId: null }, ids))
      stored.set(document.id, document);
  }
  return stored;
};

const rowsOf = ({ vectors }: Addition, stored: DocumentRecord & { revision: string }): StoredVector[] => {
  const { id, organizationId, partitionId, revision } = stored;
  const metadataPairs = toSnippetPairs(stored.metadata);
  return vectors.map(({ position, inputHash, vector }) => ({
    organizationId,
    documentId: id,
    partitionId,
    revision,
    metadataPairs,
    position,
    inputHash,
    vector: isZero(vector) ? null : vector,
  }));
};

/**
 * Adds vectors of documents to the set being filled. No lock is held: a revision that is current when its rows are
 * queued is removed, if ever, by a write that is queued later, and the queue of the table keeps their order.
 */
export const createVectorAdditions = ({ sets, lacking, records }: VectorAdditionsOptions): VectorStore["add"] => {
  /** Revisions whose rows are being written. */
  const writing = new Set<string>();

  const isWanted = (revision: string | null): revision is string =>
    revision !== null && lacking.get(revision) !== undefined && !writing.has(revision);

  /** Rows that are there already: a part, carried over from an earlier revision, or of a write that was said to have failed. */
  const presentOf = async ({ segments }: LiveVectorSet, additions: readonly Addition[]): Promise<Set<string>> => {
    const partial = additions.flatMap(({ document: { revision } }) =>
      revision !== null && lacking.get(revision)?.mayHoldSome ? [revision] : [],
    );
    if (partial.length === 0) return new Set();
    const where = isOneOf("revision", partial);
    const columns = ["revision", "position", "inputHash"];
    return new Set(
      await segments.scan(columns, where, (row) =>
        keyOf(row.string("revision"), row.number("position"), row.string("inputHash")),
      ),
    );
  };

  return async (setId, additions) => {
    const set = filledSet(sets);
    if (set === null || set.info.id !== setId) return; // it was dropped meanwhile
    for (const { vectors } of additions)
      for (const { vector } of vectors) checkVector(vector, set.info.dimensions, "vector set");
    await lacking.ready();
    const stored = await storedOf(records, additions);
    const present = await presentOf(set, additions);
    await set.segments.append(async (newest) => {
      // From here to the queue in one step: nothing can be replaced or removed in between.
      const revisions: string[] = [];
      const parts = new Set<string>();
      const rows: StoredVector[] = [];
      for (const addition of additions) {
        const document = stored.get(addition.document.id);
        const { revision } = addition.document;
        if (!isWanted(revision) || document?.revision !== revision) continue;
        writing.add(revision);
        revisions.push(revision);
        if (addition.isPart) parts.add(revision);
        for (const row of rowsOf(addition, { ...document, revision }))
          if (!present.has(keyOf(revision, row.position, row.inputHash))) rows.push(row);
      }
      try {
        await newest.add(revisions, rows, false);
        for (const revision of revisions) if (!parts.has(revision)) lacking.complete(revision);
      } finally {
        // Those of which a part was written, and those of a write that failed: it may have left rows all the same.
        for (const revision of revisions) lacking.hold(revision);
        for (const revision of revisions) writing.delete(revision);
      }
    });
  };
};
