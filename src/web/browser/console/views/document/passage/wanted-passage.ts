import type { DocumentSnippet } from "../../../../shared/api.ts";

/** What the address of a document asks to show. */
export interface WantedPassage {
  page: number | null;
  /** Characters of the text; null where none, or none that the text has, are asked for. */
  range: { start: number; end: number } | null;
}

const wholeNumber = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null;

/** @param query of the address: `page`, `start`, `end`, or the id of a `snippet`, as answers in OpenAI's form link to it */
export const wantedPassage = (
  query: Readonly<Record<string, string>>,
  text: string,
  snippets: readonly Pick<DocumentSnippet, "id" | "start" | "end" | "page">[],
): WantedPassage => {
  const named = snippets.find(({ id }) => id === query.snippet);
  const start = named?.start ?? wholeNumber(query.start);
  const end = named?.end ?? wholeNumber(query.end);
  const range = start !== null && end !== null && start < end && end <= text.length ? { start, end } : null;
  const around = range === null ? undefined : snippets.find((snippet) => snippet.end > range.start);
  const page = wholeNumber(query.page) ?? around?.page ?? null;
  return { page: page === 0 ? null : page, range };
};
