import type { DocumentRecord } from "../../domain/records.ts";
import type { PendingVectors } from "../contract/vectors.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { LiveIndexes } from "../search/live-indexes.ts";
import { filledSet, type LiveVectorSets, type VectorRows } from "../search/live-indexes.ts";
import { type LackingDocument, type ReopenedDocument, surveyVectors } from "./survey.ts";

/** What is ordered: by creation, then by id. */
interface Dated {
  readonly id: string;
  readonly createdAt: number;
}

/** Entries in order of creation. Those that are no longer live are dropped on the way, so that none is searched for. */
interface NewestFirst<T extends Dated> {
  /** Fast for an entry that is newer than all others. */
  add(entry: T): void;
  /** The newest live entries, at most `limit`. @param isPassedOver leaves entries out */
  take(limit: number, isPassedOver?: (entry: T) => boolean): T[];
}

/** Dead entries are kept until they are so many. */
const minDead = 1_000;

const isOlder = (a: Dated, b: Dated): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);

/**
 * @param isLive whether an entry still counts
 * @param countLive how many do
 */
export const createNewestFirst = <T extends Dated>(
  isLive: (entry: T) => boolean,
  countLive: () => number,
): NewestFirst<T> => {
  /** Oldest first: new entries come last. */
  let entries: T[] = [];

  /** The number of entries that are older than this one. */
  const rankOf = (entry: T): number => {
    let from = 0;
    let to = entries.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = entries[middle];
      if (other !== undefined && isOlder(other, entry)) from = middle + 1;
      else to = middle;
    }
    return from;
  };

  const dropDead = (): void => {
    for (let last = entries.at(-1); last !== undefined && !isLive(last); last = entries.at(-1)) entries.pop();
    if (entries.length > 2 * countLive() + minDead) entries = entries.filter(isLive);
  };

  return {
    add(entry) {
      const last = entries.at(-1);
      if (last === undefined || isOlder(last, entry)) entries.push(entry);
      else entries.splice(rankOf(entry), 0, entry);
    },
    take(limit, isPassedOver = () => false) {
      dropDead();
      const taken: T[] = [];
      for (let index = entries.length - 1; index >= 0 && taken.length < limit; index -= 1) {
        const entry = entries[index];
        if (entry !== undefined && isLive(entry) && !isPassedOver(entry)) taken.push(entry);
      }
      return taken;
    },
  };
};

/** The current revisions, and which of them lack vectors in the set being filled. */
interface KnownRevisions {
  /** The revision is current and has so many snippets. It lacks nothing unless `setLacking` says so. */
  add(revision: string, snippets: number): void;
  /** The revision is not current any more. */
  remove(revision: string): void;
  setLacking(document: LackingDocument): void;
  /** It lacks vectors again, if it is current. */
  reopen(document: ReopenedDocument): void;
  /** The set may hold some of its vectors. */
  setHeld(revision: string): void;
  /** It lacks nothing any more. */
  setWhole(revision: string): void;
  getLacking(revision: string): LackingDocument | undefined;
  /** Those that lack vectors, newest first. @param isPassedOver leaves documents out */
  takeLacking(limit: number, isPassedOver?: (document: LackingDocument) => boolean): LackingDocument[];
  isWhole(revision: string): boolean;
  totals(): PendingVectors;
}

const createKnownRevisions = (): KnownRevisions => {
  /** Snippets by revision. */
  const current = new Map<string, number>();
  const lacking = new Map<string, LackingDocument>();
  const order = createNewestFirst<LackingDocument>(
    (document) => lacking.get(document.revision) === document,
    () => lacking.size,
  );
  /** Of all that are lacking. */
  let snippets = 0;
  let totalSnippets = 0;

  const setWhole = (revision: string): void => {
    const document = lacking.get(revision);
    if (document === undefined) return;
    lacking.delete(revision);
    snippets -= document.snippets;
  };

  const setLacking = (document: LackingDocument): void => {
    setWhole(document.revision);
    lacking.set(document.revision, document);
    order.add(document);
    snippets += document.snippets;
  };

  return {
    add(revision, count) {
      totalSnippets += count - (current.get(revision) ?? 0);
      current.set(revision, count);
    },
    remove(revision) {
      totalSnippets -= current.get(revision) ?? 0;
      current.delete(revision);
      setWhole(revision);
    },
    setLacking,
    reopen(document) {
      const count = current.get(document.revision);
      if (count !== undefined) setLacking({ ...document, snippets: count, mayHoldSome: true });
    },
    setHeld(revision) {
      const document = lacking.get(revision);
      if (document !== undefined) document.mayHoldSome = true;
    },
    setWhole,
    getLacking: (revision) => lacking.get(revision),
    takeLacking: order.take,
    isWhole: (revision) => current.has(revision) && !lacking.has(revision),
    totals: () => ({ documents: lacking.size, snippets, totalDocuments: current.size, totalSnippets }),
  };
};

/** The content of a document that became current. */
interface CurrentContent {
  document: DocumentRecord;
  /** Rows of the active index. */
  snippets: number;
  vectors: VectorRows;
}

/**
 * The documents whose current revision lacks vectors in the set being filled. They are found once after the store opens or
 * the set changes, in the background, and from then on kept in step with every change: no page of them costs a query of
 * all documents.
 */
export interface LackingVectors {
  /** The sets, or the active index, are others now: finds out anew. */
  restart(): void;
  /** Resolves when the others can be asked. @throws Error if the tables could not be read; the next call tries again */
  ready(): Promise<void>;
  /** Whether the others can be asked. */
  isKnown(): boolean;
  /** The document, if the current revision lacks vectors. */
  get(revision: string): LackingDocument | undefined;
  /** Newest first. @param isPassedOver leaves documents out */
  take(limit: number, isPassedOver?: (document: LackingDocument) => boolean): LackingDocument[];
  totals(): PendingVectors;
  /** One document took the place of another, at this moment; null: there was none, or there is none any more. */
  replaced(before: DocumentRecord | null, after: CurrentContent | null): void;
  /** The set does not hold all vectors of this revision any more. */
  reopen(document: ReopenedDocument): void;
  /** The set may hold some vectors of this revision. */
  hold(revision: string): void;
  /** The set holds all vectors of this revision. */
  complete(revision: string): void;
  /** Whether this revision is current and lacks nothing. */
  isWhole(revision: string): boolean;
  /** Ends the search that runs. */
  stop(): Promise<void>;
}

type Change = (known: KnownRevisions) => void;

export interface LackingVectorsOptions {
  documents: StoreTable<DocumentRecord>;
  live: LiveIndexes;
  sets: LiveVectorSets;
}

export const createLackingVectors = ({ documents, live, sets }: LackingVectorsOptions): LackingVectors => {
  let known: KnownRevisions | null = null;
  /** Runs, or has failed. Changes since its start are applied to what it finds. */
  let survey: { readonly changes: Change[]; readonly done: Promise<void> } | null = null;
  let isClosed = false;

  const start = (): void => {
    known = null;
    survey = null;
    const set = filledSet(sets);
    if (set === null || isClosed) return;
    const changes: Change[] = [];
    const isStopped = (): boolean => isClosed || survey?.changes !== changes;
    const tables = { documents, snippets: live.active.segments, vectors: set.segments };
    const found = createKnownRevisions();
    const findings = { current: found.add, lacking: found.setLacking };
    const done = Promise.resolve()
      .then(() => surveyVectors(tables, findings, isStopped))
      .then(() => {
        for (const change of changes) change(found);
        known = found;
        survey = null;
      });
    done.catch(() => undefined); // `ready` reports it
    survey = { changes, done };
  };

  const change = (make: Change): void => {
    if (known !== null) make(known);
    else survey?.changes.push(make);
  };

  const certain = (): KnownRevisions => {
    if (known === null) throw new Error("it is not known yet which vectors are missing");
    return known;
  };

  return {
    restart: start,
    async ready() {
      while (survey !== null) {
        const mine = survey;
        try {
          await mine.done;
        } catch (error) {
          if (isClosed) throw new Error("the store is closed");
          if (survey !== mine) continue; // it was started anew
          start();
          throw error;
        }
      }
    },
    isKnown: () => known !== null,
    get: (revision) => certain().getLacking(revision),
    take: (limit, isPassedOver) => certain().takeLacking(limit, isPassedOver),
    totals: () => certain().totals(),
    replaced(before, after) {
      const set = filledSet(sets);
      if (set === null) return;
      const old = before?.revision ?? null;
      const held = new Set(after?.vectors.get(set)?.map(({ position }) => position)).size;
      change((target) => {
        if (old !== null) target.remove(old);
        if (after === null || after.document.revision === null) return;
        const { id, organizationId, revision, createdAt } = after.document;
        target.add(revision, after.snippets);
        const entry = { id, organizationId, revision, createdAt, snippets: after.snippets, mayHoldSome: held > 0 };
        if (held < after.snippets) target.setLacking(entry);
        else target.setWhole(revision);
      });
    },
    reopen: (document) => change((target) => target.reopen(document)),
    hold: (revision) => change((target) => target.setHeld(revision)),
    complete: (revision) => change((target) => target.setWhole(revision)),
    isWhole: (revision) => certain().isWhole(revision),
    async stop() {
      isClosed = true;
      await survey?.done.catch(() => undefined);
    },
  };
};
