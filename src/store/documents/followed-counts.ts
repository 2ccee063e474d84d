import { isOneOf } from "../engine/filters.ts";
import { type CountLimits, frequencyKeys } from "../search/frequencies.ts";
import { createKeptCounts, type KeptCounts } from "../search/kept-counts.ts";
import type { LiveIndex, LiveIndexes } from "../search/live-indexes.ts";
import { type CountedFields, countedColumns, readCountedFields, tallyTermsInTurns } from "../search/tally-terms.ts";
import type { DocumentTables } from "./document-tables.ts";
import type { KnownDocument } from "./known-documents.ts";

/**
 * Counts of terms that stay while the tables that another process writes are opened again: what changed in between is
 * counted alone. To count all terms anew costs a question 400 ms at 10,000 snippets, and 10 s at a million.
 */
export interface FollowedCounts {
  readonly kept: KeptCounts;
  /** The tables were opened again. @param documents all that there are */
  follow(live: LiveIndexes, documents: readonly FollowedDocument[]): Promise<void>;
}

/** A document as a reader that opens the tables reads all of them: once, for its counts and its records. */
export interface FollowedDocument extends KnownDocument {
  /** Null: it is not searched. */
  revision: string | null;
  partitionId: string | null;
}

/** What is counted of a document. */
type Counted = Pick<FollowedDocument, "organizationId" | "partitionId"> & { revision: string };

/** Of more, all is counted anew. */
const maxChanged = 2_000;

export const readFollowedDocuments = ({ documents }: Pick<DocumentTables, "documents">): Promise<FollowedDocument[]> =>
  documents.scan(["id", "organizationId", "createdAt", "revision", "partitionId"], {}, (row) => ({
    id: row.string("id"),
    organizationId: row.string("organizationId"),
    createdAt: row.number("createdAt"),
    revision: row.nullableString("revision"),
    partitionId: row.nullableString("partitionId"),
  }));

export const createFollowedCounts = ({ counts }: Pick<CountLimits, "counts">): FollowedCounts => {
  const kept = createKeptCounts(counts);
  let former: {
    index: LiveIndex;
    all: readonly FollowedDocument[];
    documents: ReadonlyMap<string, Counted>;
  } | null = null;

  /** Adds the terms of some documents to the counts, or subtracts them. */
  const count = async (index: LiveIndex, documents: readonly Counted[], sign: 1 | -1): Promise<void> => {
    const ofDocument = new Map(documents.map((document) => [document.revision, document]));
    const fields = new Map<string, CountedFields[]>();
    const where = isOneOf("revision", [...ofDocument.keys()]);
    await index.segments.visit([...countedColumns, "revision"], where, (row) => {
      const revision = row.string("revision");
      const rows = fields.get(revision);
      if (rows === undefined) fields.set(revision, [readCountedFields(row)]);
      else rows.push(readCountedFields(row));
      return true;
    });
    for (const [revision, document] of ofDocument)
      kept.change(frequencyKeys([index.info.id], document), await tallyTermsInTurns(fields.get(revision) ?? []), sign);
  };

  return {
    kept,
    async follow(live, documents) {
      const before = former;
      if (before?.all === documents && before.index.info.id === live.active.info.id) {
        former = { ...before, index: live.active };
        return;
      }
      const now = new Map<string, Counted>();
      for (const { id, organizationId, partitionId, revision } of documents)
        if (revision !== null) now.set(id, { organizationId, partitionId, revision });
      former = { index: live.active, all: documents, documents: now };
      if (before === null) return;
      const added = [...now].filter(([id, { revision }]) => before.documents.get(id)?.revision !== revision);
      const gone = [...before.documents].filter(([id, { revision }]) => now.get(id)?.revision !== revision);
      const changed = [...added, ...gone].map(([, document]) => document);
      const isSame = before.index.info.id === live.active.info.id;
      try {
        if (!isSame || changed.length > maxChanged) throw new Error("all is counted anew");
        await count(
          before.index,
          gone.map(([, document]) => document),
          -1,
        );
        await count(
          live.active,
          added.map(([, document]) => document),
          1,
        );
      } catch {
        for (const { organizationId } of changed) kept.forget(organizationId);
      }
    },
  };
};
