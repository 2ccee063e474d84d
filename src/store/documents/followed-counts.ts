import { isOneOf } from "../engine/filters.ts";
import { type CountLimits, frequencyKeys } from "../search/frequencies.ts";
import { createKeptCounts, type KeptCounts } from "../search/kept-counts.ts";
import type { LiveIndex } from "../search/live-indexes.ts";
import { type CountedFields, countedColumns, readCountedFields, tallyTermsInTurns } from "../search/tally-terms.ts";
import type { DocumentTables } from "./document-tables.ts";

/**
 * Counts of terms that stay while the tables that another process writes are opened again: what changed in between is
 * counted alone. To count all terms anew costs a question 400 ms at 10,000 snippets, and 10 s at a million.
 */
export interface FollowedCounts {
  readonly kept: KeptCounts;
  /** The tables were opened again. */
  follow(tables: Pick<DocumentTables, "documents" | "live">): Promise<void>;
}

/** What is counted of a document. */
interface Counted {
  revision: string;
  organizationId: string;
  partitionId: string | null;
}

/** Of more, all is counted anew. */
const maxChanged = 2_000;

const scanDocuments = async ({ documents }: Pick<DocumentTables, "documents">): Promise<Map<string, Counted>> => {
  const found = new Map<string, Counted>();
  const columns = ["id", "revision", "organizationId", "partitionId"];
  await documents.scan(columns, { where: "revision IS NOT NULL" }, (row) => {
    found.set(row.string("id"), {
      revision: row.string("revision"),
      organizationId: row.string("organizationId"),
      partitionId: row.nullableString("partitionId"),
    });
  });
  return found;
};

export const createFollowedCounts = ({ counts }: Pick<CountLimits, "counts">): FollowedCounts => {
  const kept = createKeptCounts(counts);
  let former: { index: LiveIndex; documents: ReadonlyMap<string, Counted> } | null = null;

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
    async follow({ documents, live }) {
      const before = former;
      const now = await scanDocuments({ documents });
      former = { index: live.active, documents: now };
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
