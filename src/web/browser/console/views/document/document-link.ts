/** The passage or page of a document that a link leads to. */
export interface Passage {
  /** Page of the original, from 1. */
  page?: number | null;
  /** Characters of the document's text: the first, and the one after the last. */
  start?: number | null;
  end?: number | null;
  /** Id of the passage, where its place is not known. */
  snippet?: string | null;
}

/** The address of a document in the console, at a page or passage of it. */
export const documentLink = (documentId: string, { page, start, end, snippet }: Passage = {}): string => {
  const given = Object.entries({ page, start, end, snippet }).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  const query = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  return `/documents/${encodeURIComponent(documentId)}${query}`;
};
