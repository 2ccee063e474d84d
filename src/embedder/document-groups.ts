import type { DocumentRecord } from "../domain/records.ts";

/** Snippets that are looked up and written together: small documents share a commit. */
const groupSnippets = 128;

/** Cuts a list of documents into groups of some snippets, in order. A large document is a group of its own. */
export const groupsOf = (documents: readonly DocumentRecord[]): DocumentRecord[][] => {
  const groups: DocumentRecord[][] = [];
  let group: DocumentRecord[] = [];
  let size = 0;
  for (const document of documents) {
    if (group.length > 0 && (size + document.progress.chunks > groupSnippets || group.length >= groupSnippets)) {
      groups.push(group);
      group = [];
      size = 0;
    }
    group.push(document);
    size += document.progress.chunks;
  }
  if (group.length > 0) groups.push(group);
  return groups;
};
