import type { DocumentRecord } from "../../domain/records.ts";
import { equals } from "../engine/filters.ts";
import { tallyTerms, tallyTotals } from "../search/frequencies.ts";
import type { TermTally } from "../search/kept-counts.ts";
import { allOfIndexes } from "../search/live-indexes.ts";
import type { VectorRows } from "../vectors/live-vector-sets.ts";
import type { DocumentTables } from "./document-tables.ts";
import type { IndexRows } from "./publication-rows.ts";

/** A document and the terms of its snippets; null if no counts of its organization are kept. */
export interface CountedDocument {
  document: DocumentRecord;
  tally: TermTally | null;
}

/** The content of a document that became current. */
export interface CurrentRows {
  document: DocumentRecord;
  rows: IndexRows;
  vectors: VectorRows;
}

/** Keeps the counts of terms and of missing vectors and the cached answers up to date while documents change. */
export interface CountUpdates {
  /** Counts the terms of a document before it changes, to subtract them after. */
  count(document: DocumentRecord): Promise<CountedDocument>;
  /** One document took the place of another, at this moment; null: there was none, or there is none any more. */
  replaced(before: CountedDocument | null, after: CurrentRows | null): void;
}

type Dependencies = Pick<DocumentTables, "frequencies" | "lacking" | "live" | "onSearchableChange">;

export const createCountUpdates = ({ frequencies, lacking, live, onSearchableChange }: Dependencies): CountUpdates => ({
  async count(document) {
    const { organizationId, revision } = document;
    if (revision === null || frequencies.keeps(organizationId) === "nothing") return { document, tally: null };
    const where = equals("revision", revision);
    const rows = await live.active.table.scan(["terms", "titleTerms"], { where }, (row) => ({
      terms: row.string("terms"),
      titleTerms: row.string("titleTerms"),
    }));
    return { document, tally: tallyTerms(rows) };
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
        const tally = hasTerms ? tallyTerms(rows) : tallyTotals(rows.length);
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
