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
