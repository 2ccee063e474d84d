import type { DocumentTables } from "./document-tables.ts";
import type { LiveIndex } from "./live-indexes.ts";
import type { DocumentRecord } from "./records.ts";
import type { StoredSnippet } from "./snippet-rows.ts";
import { maxWaitingRows, tooMuchWaits } from "./write-queue.ts";

/** What is written of one document: what it holds first, then the record that names it. */
export interface DocumentWrite {
  readonly document: DocumentRecord;
  /** Id and text of a new row; null where the text is there already or there is none. */
  readonly text: { readonly id: string; readonly text: string } | null;
  /** New rows of the live indexes, of the revision that the document names. */
  readonly rows: ReadonlyMap<LiveIndex, readonly StoredSnippet[]>;
  /** True where the record had something to lose: what it will name must be on disk before it. */
  readonly replaces: boolean;
}

/**
 * New content waits this long at most for documents that are announced: they share its commits. With 16 clients that
 * made groups of 13 instead of 8, and a tenth less work in all.
 */
const mostGatherMs = 40;

/** More rows than this do not go into one group. */
const mostRows = 10_000;

interface Waiting {
  readonly write: DocumentWrite;
  readonly done: PromiseWithResolvers<void>;
}

const rowsOf = ({ rows }: DocumentWrite): number => [...rows.values()].reduce((sum, { length }) => sum + length, 1);

export interface DocumentGroups {
  /** @returns resolves when stored and on disk. @throws ApiError overloaded; what the tables throw, for the whole group */
  write(write: DocumentWrite): Promise<void>;
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
  /** Called when nothing is announced any more. */
  let onAllCome: () => void = () => undefined;
  /** The records of the last group. */
  let recorded: Promise<void> = Promise.resolve();

  const gather = async (): Promise<void> => {
    if (announced === 0 || waiting.every(({ write }) => write.rows.size === 0)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mostGatherMs);
      onAllCome = () => {
        clearTimeout(timer);
        setImmediate(resolve); // the last one announced is written in the same moment
      };
    });
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
        rows += rowsOf(next.write);
      }
      waiting = waiting.slice(group.length);
      waitingRows -= rows;
      const writes = group.map(({ write }) => write);
      const content = writeContent(writes);
      await Promise.allSettled([content, recorded]);
      recorded = tell(
        group,
        content.then(() => records.write(writes.map(({ document }) => document))),
      );
    }
    isWriting = false;
  };

  const write = (write: DocumentWrite): Promise<void> => {
    const rows = rowsOf(write);
    if (waiting.length > 0 && waitingRows + rows > maxWaitingRows) return Promise.reject(tooMuchWaits());
    const done = Promise.withResolvers<void>();
    waiting.push({ write, done });
    waitingRows += rows;
    if (!isWriting) void drain();
    return done.promise;
  };

  return {
    write,
    announce() {
      announced += 1;
      return () => {
        announced -= 1;
        if (announced === 0) onAllCome();
      };
    },
  };
};
