import type { DocumentRecord } from "../../domain/records.ts";
import type { PendingVectors } from "../contract/vectors.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { LiveIndexes } from "../search/live-indexes.ts";
import { filledSet, type LiveVectorSets, type VectorRows } from "../search/live-vector-sets.ts";
import { createKnownRevisions, type KnownRevisions } from "./known-revisions.ts";
import { type LackingDocument, type ReopenedDocument, surveyVectors } from "./survey.ts";

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
