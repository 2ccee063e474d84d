import type { DocumentRecord } from "../../domain/records.ts";
import type { LiveIndex } from "../search/live-indexes.ts";
import type { LiveVectorSet, VectorRows } from "../search/live-vector-sets.ts";
import type { StoredSnippet } from "../search/snippet-rows.ts";
import type { StoredVector } from "../search/vector-rows.ts";
import type { Segments } from "../segments/segments.ts";
import type { DocumentTables } from "./document-tables.ts";
import type { IndexRows } from "./publication-rows.ts";

/** What is written for one document: its content first, then the record that names it. */
export interface DocumentWrite {
  readonly document: DocumentRecord;
  /** A new text and its id; null if the text is stored already, or there is none. */
  readonly text: { readonly id: string; readonly text: string } | null;
  /** New rows of the live indexes, of the revision that the document names. */
  readonly rows: IndexRows;
  /** Vectors that it takes over from the revision before. */
  readonly vectors: VectorRows;
  /** True if the record replaces a revision: the new content must be on disk before it. */
  readonly replaces: boolean;
}

/**
 * Rows that are committed at once. Each commit copies its rows several times: a text of 20 MB (30,000 rows) in one commit
 * held up the event loop for 3.4 s and took 900 MB. A group of small documents, which holds up to some 2,000, is to be one
 * commit: in pieces of 500 a batch took a tenth longer.
 */
const maxCommitRows = 2_000;
/** The same for a long text: each commit holds up the event loop for a quarter as long, and all take as long in sum. */
const maxLongTextCommitRows = 500;
/**
 * Commits of a long text until garbage is collected, beside other work. What a commit leaves behind survives the engine's
 * own short collections, and it makes a whole one only when the heap has doubled. A server that took in a text of 20 MB
 * needed 770 to 860 MB at most in place of 1,390 to 1,490, for the same CPU time.
 */
const commitsPerCollection = 8;

/** Adds rows in their order, a bounded number at a time; on the disk with the last of them where `durable` says so. */
const addInCommits = <Row>(
  segments: Pick<Segments<Row>, "append">,
  scope: readonly string[],
  rows: readonly Row[],
  durable: boolean,
  isLongText: boolean,
): Promise<void> =>
  segments.append(async (newest) => {
    const maxRows = isLongText ? maxLongTextCommitRows : maxCommitRows;
    for (let start = 0; start < rows.length; start += maxRows) {
      const end = start + maxRows;
      // What was committed before the last one is on the disk with it.
      await newest.add(scope, rows.slice(start, end), durable && end >= rows.length);
      if (isLongText && (end / maxRows) % commitsPerCollection === 0) Bun.gc(false);
    }
  });

/** How many rows the writes add. */
export const rowsOf = (writes: readonly DocumentWrite[]): number => {
  let sum = writes.length;
  for (const { rows, vectors } of writes)
    for (const { length } of [...rows.values(), ...vectors.values()]) sum += length;
  return sum;
};

/** The rows of several documents, by what they are for. */
const gatherRows = <Owner, Row>(ofDocuments: readonly ReadonlyMap<Owner, readonly Row[]>[]): Map<Owner, Row[]> => {
  const gathered = new Map<Owner, Row[]>();
  for (const ofOne of ofDocuments) {
    for (const [owner, rows] of ofOne) {
      const before = gathered.get(owner);
      if (before === undefined) gathered.set(owner, [...rows]);
      else for (const row of rows) before.push(row);
    }
  }
  return gathered;
};

/** Texts, snippets and their vectors, which the records will name. */
export const writeContent = async (texts: DocumentTables["texts"], writes: readonly DocumentWrite[]): Promise<void> => {
  const durable = writes.some(({ replaces }) => replaces);
  const ids = writes.map(({ document }) => document.id);
  const newTexts = writes.flatMap(({ document: { id, organizationId }, text }) =>
    text === null ? [] : [{ id: text.id, text: text.text, organizationId, documentId: id }],
  );
  const newRows = gatherRows<LiveIndex, StoredSnippet>(writes.map(({ rows }) => rows));
  const newVectors = gatherRows<LiveVectorSet, StoredVector>(writes.map(({ vectors }) => vectors));
  const revisions = writes.map(({ document }) => document.revision ?? document.id);
  const isLongText = writes.some(({ rows }) => rows.values().some(({ length }) => length > maxCommitRows));
  await Promise.all([
    texts.add([...ids, ...revisions], newTexts, durable),
    ...[...newRows].map(([{ segments }, rows]) => addInCommits(segments, revisions, rows, durable, isLongText)),
    ...[...newVectors].map(([{ segments }, rows]) => addInCommits(segments, revisions, rows, durable, isLongText)),
  ]);
};
