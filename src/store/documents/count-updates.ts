import type { DocumentRecord } from "../../domain/records.ts";
import { equals } from "../engine/filters.ts";
import type { VectorRows } from "../search/live-indexes.ts";
import { allOfIndexes, type LiveIndex } from "../search/live-indexes.ts";
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
