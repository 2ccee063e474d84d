/**
 * Why documents are grouped here, although every table groups its own writes (engine/write-queue.ts): a document takes
 * a commit in each of three tables, one after another, and a commit costs about as much for a hundred documents as for
 * one. The queues group writes that happen to wait; documents that arrive a few milliseconds apart would miss each
 * other in each table. Measured through the server with 16 clients on two busy cores: 6.1 to 6.9 ms of CPU a document
 * with these groups, 8.5 to 11 without. For one batch of small documents both cost the same.
 */

import { nextTurn } from "../../async/yield.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { maxWaitingRows, tooManyWaiting } from "../engine/write-queue.ts";
import { type LiveIndex, type LiveVectorSet, noVectorRows, type VectorRows } from "../search/live-indexes.ts";
import { maxSnippetPairs } from "../search/scope-filter.ts";
import type { StoredSnippet, StoredVector } from "../search/snippet-rows.ts";
import type { Segments } from "../segments/segments.ts";
import type { IndexRows } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";

/** What is written for one document: its content first, then the record that names it. */
interface DocumentWrite {
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
const rowsOf = (writes: readonly DocumentWrite[]): number => {
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
const writeContent = async (texts: DocumentTables["texts"], writes: readonly DocumentWrite[]): Promise<void> => {
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

/**
 * New content waits for announced documents until its first is this old, to share commits with them. With 16 clients that
 * made groups of 13 instead of 8, and a tenth less work in all.
 */
const maxGatherMs = 40;
/** The same if no client waits for a single document: a batch of small ones takes a third of the commits. */
const maxPatientGatherMs = 250;
/**
 * The records of the last group are waited for so long. Those that replace others wait for the end of upkeep of their
 * table, on a busy machine for four seconds: new documents of other tenants are not to wait with them.
 */
const maxRecordsMs = 100;
/** A group with this many rows is committed without waiting for more. */
const enoughRows = 2_000;

/** A group with this many rows takes no further document. */
const maxGroupRows = 10_000;

interface Waiting {
  readonly writes: readonly DocumentWrite[];
  readonly isPatient: boolean;
  readonly rows: number;
  /** When it arrived, as `performance.now()` tells it. */
  readonly since: number;
  readonly done: PromiseWithResolvers<void>;
}

interface DocumentGroups {
  /**
   * Resolves when all are stored and on disk.
   * @param isPatient no client waits for a single one of these: the group may grow
   * @throws ApiError overloaded; an error of the tables where one of them is not stored. Others of its group may be
   */
  write(writes: readonly DocumentWrite[], isPatient?: boolean): Promise<void>;
  /** See `DocumentStore.announce`. */
  announce(): () => void;
}

/**
 * Writes documents in groups. Documents that arrive while the content of a group is written form the next group, whose
 * content is written while the records of the last group are.
 */
export const createDocumentGroups = ({ records, texts }: Pick<DocumentTables, "records" | "texts">): DocumentGroups => {
  let waiting: Waiting[] = [];
  let waitingRows = 0;
  let isWriting = false;
  let announced = 0;
  /** Called when a write arrives, or no announced one is left. */
  let onChange: () => void = () => undefined;
  /** The records of the last group. */
  let recorded: Promise<void> = Promise.resolve();

  const gather = async (): Promise<void> => {
    if (waiting.every(({ writes }) => writes.every(({ rows }) => rows.size === 0))) return;
    const began = waiting[0]?.since ?? performance.now();
    while (announced > 0 && waitingRows < enoughRows) {
      const maxMs = waiting.every(({ isPatient }) => isPatient) ? maxPatientGatherMs : maxGatherMs;
      const leftMs = began + maxMs - performance.now();
      if (leftMs <= 0) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        onChange = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    // The document announced last is written right after: it is included.
    if (announced === 0) await nextTurn();
  };

  /** Settles the promises of a group's callers, each when its own documents are written. Never rejects. */
  const settle = async (group: readonly Waiting[], content: Promise<void>): Promise<void> => {
    try {
      await content;
    } catch (error) {
      for (const { done } of group) done.reject(error);
      return;
    }
    const written = records.write(group.flatMap(({ writes }) => writes.map(({ document }) => document)));
    let next = 0;
    for (const { writes, done } of group) {
      const own = written.slice(next, next + writes.length);
      next += writes.length;
      void Promise.allSettled(own).then((outcomes) => {
        const failed = outcomes.find((outcome) => outcome.status === "rejected");
        if (failed === undefined) done.resolve();
        else done.reject(failed.reason); // not sooner: its caller then removes what was written
      });
    }
    await Promise.allSettled(written);
  };

  const drain = async (): Promise<void> => {
    isWriting = true;
    await nextTurn(); // writes of the same moment share a group
    while (waiting.length > 0) {
      await gather();
      const group: Waiting[] = [];
      let rows = 0;
      for (let next = waiting[0]; next !== undefined && rows < maxGroupRows; next = waiting[group.length]) {
        group.push(next);
        rows += next.rows;
      }
      waiting = waiting.slice(group.length);
      waitingRows -= rows;
      const content = writeContent(
        texts,
        group.flatMap(({ writes }) => writes),
      );
      await Promise.allSettled([content, Promise.race([recorded, Bun.sleep(maxRecordsMs)])]);
      recorded = settle(group, content);
    }
    isWriting = false;
  };

  const write = (writes: readonly DocumentWrite[], isPatient = false): Promise<void> => {
    const rows = rowsOf(writes);
    if (waiting.length > 0 && waitingRows + rows > maxWaitingRows) return Promise.reject(tooManyWaiting());
    const done = Promise.withResolvers<void>();
    waiting.push({ writes, isPatient, rows, since: performance.now(), done });
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

/** The content of a document that is written with its record. */
type Content = Pick<DocumentWrite, "text" | "rows" | "vectors" | "replaces">;

export const noContent: Content = { text: null, rows: new Map(), vectors: noVectorRows, replaces: false };

/** Writes the records of documents with their content, and keeps the files that they name. */
export interface RecordWriter {
  /**
   * Writes the content of a document, then its record. Afterwards the document owns the file that it names, and the
   * file that it named before is removed unless another document names it.
   * @param putsFile whether the caller put the file for this write, even if the record named the same one before
   */
  write(document: DocumentRecord, before: DocumentRecord | null, putsFile: boolean, content?: Content): Promise<void>;
  /**
   * Writes documents that are new; the caller put the file that one names for this write. Nobody waits for one of them:
   * their group may grow.
   */
  writeNew(writes: readonly DocumentWrite[]): Promise<void>;
  /** See `DocumentStore.announce`. */
  announce(): () => void;
}

export const createRecordWriter = (tables: DocumentTables): RecordWriter => {
  const { scopes, blobs } = tables;
  const groups = createDocumentGroups(tables);

  const writeGroup = async (writes: readonly DocumentWrite[], isPatient = false): Promise<void> => {
    if (writes.some(({ document: { metadata } }) => Object.keys(metadata ?? {}).length > maxSnippetPairs)) {
      scopes.noteManyPairs();
    }
    await groups.write(writes, isPatient);
  };

  return {
    async write(document, before, putsFile, content = noContent) {
      await writeGroup([{ document, ...content }]);
      const isOtherFile = document.blobHash !== (before?.blobHash ?? null);
      if (document.blobHash !== null && (isOtherFile || putsFile)) blobs.adopt(document.blobHash);
      if (isOtherFile && before?.blobHash) await blobs.removeIfUnused(before.blobHash);
    },
    async writeNew(writes) {
      await writeGroup(writes, true);
      for (const { document } of writes) if (document.blobHash !== null) blobs.adopt(document.blobHash);
    },
    announce: groups.announce,
  };
};
