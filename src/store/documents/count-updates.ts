import type { DocumentRecord } from "../../domain/records.ts";
import { equals, isOneOf } from "../engine/filters.ts";
import { type CountLimits, frequencyKeys } from "../search/frequencies.ts";
import { createKeptCounts, type KeptCounts } from "../search/kept-counts.ts";
import { allOfIndexes, type LiveIndex, type LiveIndexes, type VectorRows } from "../search/live-indexes.ts";
import {
  type CountedFields,
  countedColumns,
  readCountedFields,
  type TermTally,
  tallyTerms,
  tallyTermsInTurns,
  tallyTotals,
} from "../search/tally-terms.ts";
import type { IndexRows } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";
import type { KnownDocument } from "./known-documents.ts";

/** A document and the terms of its snippets; null if no counts of its organization are kept. */
interface CountedDocument {
  document: DocumentRecord;
  tally: TermTally | null;
}

/** The content of a document that became current. */
interface CurrentRows {
  document: DocumentRecord;
  rows: IndexRows;
  vectors: VectorRows;
  /** See `CountUpdates.tally`. */
  tallies?: Tallies | null;
}

/** The terms of new rows, by their index. */
export type Tallies = ReadonlyMap<LiveIndex, TermTally>;

/** Keeps the counts of terms and of missing vectors and the cached answers up to date while documents change. */
export interface CountUpdates {
  /** Counts the terms of a document before it changes, to subtract them after. */
  count(document: DocumentRecord): Promise<CountedDocument>;
  /**
   * Counts the terms of the new rows of a large document, which takes a while, before they become current; null for a
   * small one, which `replaced` counts itself, and where no terms of its organization are counted.
   */
  tally(document: DocumentRecord, rows: IndexRows): Promise<Tallies> | null;
  /** One document took the place of another, at this moment; null: there was none, or there is none any more. */
  replaced(before: CountedDocument | null, after: CurrentRows | null): void;
}

/** Rows that are counted at once: some 8 ms. */
const maxAtOnce = 256;

const tallyRows = async (rows: readonly CountedFields[]): Promise<TermTally> =>
  rows.length <= maxAtOnce ? tallyTerms(rows) : await tallyTermsInTurns(rows);

const tallyIndexes = async (rows: IndexRows): Promise<Tallies> => {
  const tallies = new Map<LiveIndex, TermTally>();
  for (const [index, ofIndex] of rows) tallies.set(index, await tallyRows(ofIndex));
  return tallies;
};

type Dependencies = Pick<DocumentTables, "frequencies" | "lacking" | "live" | "onSearchableChange">;

export const createCountUpdates = ({ frequencies, lacking, live, onSearchableChange }: Dependencies): CountUpdates => ({
  async count(document) {
    const { organizationId, revision } = document;
    if (revision === null || frequencies.keeps(organizationId) === "nothing") return { document, tally: null };
    const rows = await live.active.segments.scan(countedColumns, equals("revision", revision), readCountedFields);
    return { document, tally: await tallyRows(rows) };
  },
  tally({ organizationId }, rows) {
    const isLarge = rows.values().some(({ length }) => length > maxAtOnce);
    return isLarge && frequencies.keeps(organizationId) === "terms" ? tallyIndexes(rows) : null;
  },
  replaced(before, after) {
    const snippets = after?.rows.get(live.active)?.length ?? 0;
    lacking.replaced(
      before?.document ?? null,
      after === null ? null : { document: after.document, snippets, vectors: after.vectors },
    );
    const indexIds = allOfIndexes(live).map(({ info }) => info.id);
    if (before?.tally) frequencies.change(indexIds, before.document, before.tally, -1);
    if (after !== null) {
      // A store that takes in documents and is not asked keeps totals alone: no term is looked at.
      const hasTerms = frequencies.keeps(after.document.organizationId) === "terms";
      for (const [index, rows] of after.rows) {
        const tally = hasTerms ? (after.tallies?.get(index) ?? tallyTerms(rows)) : tallyTotals(rows.length);
        frequencies.change([index.info.id], after.document, tally, 1);
      }
    }
    // Counts may have been started since `count` was called: they would include the old revision.
    if (before !== null && before.document.revision !== null && before.tally === null) {
      frequencies.forget(before.document.organizationId);
    }
    onSearchableChange((after ?? before)?.document.organizationId);
  },
});

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
