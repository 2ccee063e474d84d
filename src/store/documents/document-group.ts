import type { DocumentRecord } from "../../domain/records.ts";
import { maxWaitingRows, tooMuchWaits } from "../engine/write-queue.ts";
import type { LiveIndex } from "../search/live-indexes.ts";
import type { StoredSnippet } from "../search/snippet-rows.ts";
import type { DocumentTables } from "./document-tables.ts";
import type { IndexRows } from "./publication-rows.ts";

/** What is written of one document: what it holds first, then the record that names it. */
export interface DocumentWrite {
  readonly document: DocumentRecord;
  /** Id and text of a new row; null where the text is there already or there is none. */
  readonly text: { readonly id: string; readonly text: string } | null;
  /** New rows of the live indexes, of the revision that the document names. */
  readonly rows: IndexRows;
  /** True where the record had something to lose: what it will name must be on disk before it. */
  readonly replaces: boolean;
}

/**
 * New content waits this long at most for documents that are announced: they share its commits. With 16 clients that
 * made groups of 13 instead of 8, and a tenth less work in all.
 */
const mostGatherMs = 40;
/** The same where nobody waits for a document of his own: a third of the commits for a batch of small ones. */
const mostPatientGatherMs = 250;
/** Rows that are worth a commit without waiting for more. */
const enoughRows = 2_000;

/** More rows than this do not go into one group. */
const mostRows = 10_000;

interface Waiting {
  readonly writes: readonly DocumentWrite[];
  readonly isPatient: boolean;
  readonly rows: number;
  readonly done: PromiseWithResolvers<void>;
}

const rowsOf = (writes: readonly DocumentWrite[]): number => {
  let sum = writes.length;
  for (const { rows } of writes) for (const { length } of rows.values()) sum += length;
  return sum;
};

export interface DocumentGroups {
  /**
   * @param isPatient nobody waits for one of these: the group may grow
   * @returns resolves when all are stored and on disk. @throws ApiError overloaded; what the tables throw, for the whole group
   */
  write(writes: readonly DocumentWrite[], isPatient?: boolean): Promise<void>;
  /** Tells that a write follows in a moment. The function returned takes that back: call it once, written or not. */
  announce(): () => void;
}

/**
 * Writes documents in groups: those that come while the content of a group is being written make up the next one, whose
 * content is written beside the records of the last. A commit costs about as much for a hundred documents as for one,
 * and each document takes one in every table.
 */
export const createDocumentGroups = ({ records, texts }: Pick<DocumentTables, "records" | "texts">): DocumentGroups => {
  let waiting: Waiting[] = [];
  let waitingRows = 0;
  let isWriting = false;
  let announced = 0;
  /** Called when something comes, or nothing is announced any more. */
  let onChange: () => void = () => undefined;
  /** The records of the last group. */
  let recorded: Promise<void> = Promise.resolve();

  const gather = async (): Promise<void> => {
    if (waiting.every(({ writes }) => writes.every(({ rows }) => rows.size === 0))) return;
    const began = performance.now();
    while (announced > 0 && waitingRows < enoughRows) {
      const most = waiting.every(({ isPatient }) => isPatient) ? mostPatientGatherMs : mostGatherMs;
      const left = began + most - performance.now();
      if (left <= 0) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        onChange = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    // The last one announced is written in the same moment.
    if (announced === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  };

  /** What the records will name. */
  const writeContent = async (writes: readonly DocumentWrite[]): Promise<void> => {
    const durable = writes.some(({ replaces }) => replaces);
    const ids = writes.map(({ document }) => document.id);
    const newTexts = writes.flatMap(({ document: { id, organizationId }, text }) =>
      text === null ? [] : [{ id: text.id, text: text.text, organizationId, documentId: id }],
    );
    const newRows = new Map<LiveIndex, StoredSnippet[]>();
    for (const { rows } of writes) {
      for (const [index, snippets] of rows) {
        const gathered = newRows.get(index);
        if (gathered === undefined) newRows.set(index, [...snippets]);
        else for (const snippet of snippets) gathered.push(snippet);
      }
    }
    const revisions = writes.map(({ document }) => document.revision ?? document.id);
    await Promise.all([
      texts.add([...ids, ...revisions], newTexts, durable),
      ...[...newRows].map(([index, rows]) => index.table.add(revisions, rows, durable)),
    ]);
  };

  /** Tells the callers of a group what came of it. */
  const tell = async (group: readonly Waiting[], written: Promise<void>): Promise<void> => {
    try {
      await written;
      for (const { done } of group) done.resolve();
    } catch (error) {
      for (const { done } of group) done.reject(error);
    }
  };

  const drain = async (): Promise<void> => {
    isWriting = true;
    await new Promise<void>((resolve) => setImmediate(resolve)); // those of the same moment go together
    while (waiting.length > 0) {
      await gather();
      const group: Waiting[] = [];
      let rows = 0;
      for (let next = waiting[0]; next !== undefined && rows < mostRows; next = waiting[group.length]) {
        group.push(next);
        rows += next.rows;
      }
      waiting = waiting.slice(group.length);
      waitingRows -= rows;
      const writes = group.flatMap(({ writes }) => writes);
      const content = writeContent(writes);
      await Promise.allSettled([content, recorded]);
      recorded = tell(
        group,
        content.then(() => records.write(writes.map(({ document }) => document))),
      );
    }
    isWriting = false;
  };

  const write = (writes: readonly DocumentWrite[], isPatient = false): Promise<void> => {
    const rows = rowsOf(writes);
    if (waiting.length > 0 && waitingRows + rows > maxWaitingRows) return Promise.reject(tooMuchWaits());
    const done = Promise.withResolvers<void>();
    waiting.push({ writes, isPatient, rows, done });
    waitingRows += rows;
    if (!isWriting) void drain();
    else if (!isPatient || waitingRows >= enoughRows) onChange();
    return done.promise;
  };

  return {
    write,
    announce() {
      announced += 1;
      return () => {
        announced -= 1;
        if (announced === 0) onChange();
      };
    },
  };
};
