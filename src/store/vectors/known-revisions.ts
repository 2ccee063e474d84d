import type { PendingVectors } from "../contract/vectors.ts";
import { createNewestFirst } from "./newest-first.ts";
import type { LackingDocument, ReopenedDocument } from "./survey.ts";

/** The current revisions, and which of them lack vectors in the set being filled. */
export interface KnownRevisions {
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

export const createKnownRevisions = (): KnownRevisions => {
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
