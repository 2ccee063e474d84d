import { nextTurn } from "../../async/yield.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { byCreation } from "../engine/paging.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { StoredSnippet, StoredVector } from "../search/snippet-rows.ts";
import type { Segments } from "../segments/segments.ts";

/** A document whose current revision lacks vectors. */
export interface LackingDocument {
  readonly id: string;
  readonly organizationId: string;
  readonly revision: string;
  readonly createdAt: number;
  /** Of the revision, with a vector or without. */
  readonly snippets: number;
  /** Whether the set may hold some of its vectors already. */
  mayHoldSome: boolean;
}

/** A document that lacks vectors again. */
export type ReopenedDocument = Pick<LackingDocument, "id" | "organizationId" | "revision" | "createdAt">;

/** Takes what a survey finds. */
export interface Findings {
  /** Called with the current revision of each document, and how many snippets that has. */
  current(revision: string, snippets: number): void;
  /** Oldest first. */
  lacking(document: LackingDocument): void;
}

/** Counts the different positions of a revision. Rows mostly come in order: then no position has to be remembered. */
interface HeldPositions {
  next: number;
  beyond: Set<number> | null;
}

const noteHeld = (held: HeldPositions, position: number): void => {
  if (position > held.next) {
    held.beyond ??= new Set();
    held.beyond.add(position);
  }
  if (position !== held.next) return; // an earlier one was counted already
  held.next += 1;
  while (held.beyond?.delete(held.next)) held.next += 1;
};

const countHeld = (held: HeldPositions | undefined): number =>
  held === undefined ? 0 : held.next + (held.beyond?.size ?? 0);

interface SurveyedTables {
  documents: StoreTable<DocumentRecord>;
  snippets: Pick<Segments<StoredSnippet>, "visit">;
  vectors: Pick<Segments<StoredVector>, "visit">;
}

/** Documents judged before other work gets a turn: a millisecond or two. */
const judgedAtOnce = 2_000;

/**
 * Finds the documents whose current revision has more snippets than vectors. Rows are read one after another, beside other
 * work. Changes while it runs may be seen or not: the caller applies them to the result. The tables are read in this
 * order, so that a revision that is found current has all its rows.
 * @throws Error if it is stopped
 */
export const surveyVectors = async (
  tables: SurveyedTables,
  findings: Findings,
  isStopped: () => boolean,
): Promise<void> => {
  const documents: ReopenedDocument[] = [];
  await tables.documents.visit(
    ["id", "organizationId", "revision", "createdAt"],
    "revision IS NOT NULL",
    (row) => {
      documents.push({
        id: row.string("id"),
        organizationId: row.string("organizationId"),
        revision: row.string("revision"),
        createdAt: row.number("createdAt"),
      });
      return !isStopped();
    },
    byCreation("asc"),
  );
  const snippets = new Map<string, number>();
  await tables.snippets.visit(["revision"], "true", (row) => {
    const revision = row.string("revision");
    snippets.set(revision, (snippets.get(revision) ?? 0) + 1);
    return !isStopped();
  });
  const held = new Map<string, HeldPositions>();
  await tables.vectors.visit(["revision", "position"], "true", (row) => {
    const revision = row.string("revision");
    let positions = held.get(revision);
    if (positions === undefined) {
      positions = { next: 0, beyond: null };
      held.set(revision, positions);
    }
    noteHeld(positions, row.number("position"));
    return !isStopped();
  });

  for (const [index, document] of documents.entries()) {
    if (index % judgedAtOnce === 0) await nextTurn();
    if (isStopped()) break;
    const { revision } = document;
    const wanted = snippets.get(revision) ?? 0;
    findings.current(revision, wanted);
    const found = countHeld(held.get(revision));
    if (found < wanted) findings.lacking({ ...document, snippets: wanted, mayHoldSome: found > 0 });
  }
  if (isStopped()) throw new Error("the count of missing vectors was stopped");
};
