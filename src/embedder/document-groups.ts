import type { DocumentRecord } from "../domain/records.ts";

/**
 * Cuts a list of documents into groups that are looked up and written together, in order. A large document is a group of
 * its own.
 * @param maxSnippets of a group, asked anew for each
 */
export function* groupsOf(
  documents: readonly DocumentRecord[],
  maxSnippets: () => number,
): Generator<DocumentRecord[]> {
  let group: DocumentRecord[] = [];
  let size = 0;
  let most = maxSnippets();
  for (const document of documents) {
    if (group.length > 0 && (size + document.progress.chunks > most || group.length >= most)) {
      yield group;
      group = [];
      size = 0;
      most = maxSnippets();
    }
    group.push(document);
    size += document.progress.chunks;
  }
  if (group.length > 0) yield group;
}

/** A larger document has a group of its own, and one such group is under way at a time. */
const manySnippets = 1_024;

export const isLarge = (group: readonly DocumentRecord[]): boolean => (group[0]?.progress.chunks ?? 0) > manySnippets;

/** The groups that are being worked on. @param onFailure called when one of them fails */
export const createGroupsUnderWay = (onFailure: (error: unknown) => void) => {
  const running = new Map<readonly DocumentRecord[], Promise<void>>();
  const revisions = new Set<string | null>();
  return {
    get groups() {
      return running.size;
    },
    get hasLarge() {
      return [...running.keys()].some(isLarge);
    },
    has: (revision: string | null): boolean => revisions.has(revision),
    begin(group: readonly DocumentRecord[], work: Promise<void>): void {
      for (const { revision } of group) revisions.add(revision);
      const end = work.catch(onFailure).finally(() => {
        running.delete(group);
        for (const { revision } of group) revisions.delete(revision);
      });
      running.set(group, end);
    },
    nextEnd: async (): Promise<void> => void (await Promise.race(running.values())),
    allEnds: async (): Promise<void> => void (await Promise.all(running.values())),
  };
};
