import { createNewestFirst } from "./newest-first.ts";
import type { LackingDocument } from "./survey.ts";

/** The current revisions, and which of them lack vectors in the set being filled. */
export interface KnownRevisions {
  /** The revision is current. It lacks nothing unless `setLacking` says so. */
  add(revision: string): void;
  /** The revision is not current any more. */
  remove(revision: string): void;
  setLacking(document: LackingDocument): void;
  /** It lacks nothing any more. */
  setWhole(revision: string): void;
  getLacking(revision: string): LackingDocument | undefined;
  /** Those that lack vectors, newest first. */
  takeLacking(limit: number): LackingDocument[];
  isWhole(revision: string): boolean;
  /** Documents and snippets that lack vectors, and all documents. */
  totals(): { documents: number; snippets: number; totalDocuments: number };
}

export const createKnownRevisions = (): KnownRevisions => {
  const current = new Set<string>();
  const lacking = new Map<string, LackingDocument>();
  const order = createNewestFirst<LackingDocument>(
    (document) => lacking.get(document.revision) === document,
    () => lacking.size,
  );
  /** Of all that are lacking. */
  let snippets = 0;

  const setWhole = (revision: string): void => {
    const document = lacking.get(revision);
    if (document === undefined) return;
    lacking.delete(revision);
    snippets -= document.snippets;
  };

  return {
    add: (revision) => void current.add(revision),
    remove(revision) {
      current.delete(revision);
      setWhole(revision);
    },
    setLacking(document) {
      setWhole(document.revision);
      lacking.set(document.revision, document);
      order.add(document);
      snippets += document.snippets;
    },
    setWhole,
    getLacking: (revision) => lacking.get(revision),
    takeLacking: (limit) => order.take(limit),
    isWhole: (revision) => current.has(revision) && !lacking.has(revision),
    totals: () => ({ documents: lacking.size, snippets, totalDocuments: current.size }),
  };
};
