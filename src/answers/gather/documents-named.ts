import type { Tenant } from "../../domain/records.ts";
import { withNameForms } from "../../retrieval/scores/document-names.ts";
import type { SearchScope, SnippetHit, SnippetView } from "../../store/contract.ts";
import { analyzeQuery, formsByWord } from "../../text/analysis/analyze.ts";
import { datesIn } from "../../text/dates.ts";
import { isGeneric } from "./file-kinds.ts";

/** Snippets looked at to find the documents that words name or that a text mentions. */
const maxHits = 1_000;
/** A name counts more than what the text says: documents are called by their names. */
const titleWeight = 8;
const headingWeight = 2;
/** The parts of the words that a document's name must have, and its name and its first lines together. */
const minInName = 0.4;
const minInAll = 0.6;

/** The words of a text, each with the terms that it is found by. */
const wordsOf = (text: string): string[][] => formsByWord(withNameForms(analyzeQuery(text).terms, text));

/** How many of some words are among terms. */
export const holds = (terms: ReadonlySet<string>, words: readonly (readonly string[])[]): number =>
  words.filter((forms) => forms.some((form) => terms.has(form))).length;

/** Letters that related words begin with: "Preisliste", "Preise". */
const minShared = 5;

/** How many of some words are among terms, or words like them. */
const holdsLike = (terms: ReadonlySet<string>, words: readonly (readonly string[])[]): number => {
  const beginnings = new Set([...terms].map((term) => term.slice(0, minShared)));
  return words.filter((forms) =>
    forms.some((form) => terms.has(form) || (form.length >= minShared && beginnings.has(form.slice(0, minShared)))),
  ).length;
};

const search = (view: SnippetView, tenant: Tenant, scope: SearchScope, text: string): Promise<SnippetHit[]> =>
  view.searchText(tenant, scope, withNameForms(analyzeQuery(text).terms, text), {
    limit: maxHits,
    titleWeight,
    headingWeight,
  });

const termsIn = (...fields: readonly string[]): Set<string> => new Set(fields.flatMap((field) => field.split(" ")));

/**
 * The document that words name ("the meeting notes of 9 April"): by its name, and by the lines it begins with.
 * @returns its id; null where no name has enough of the words
 */
export const documentNamed = async (
  view: SnippetView,
  tenant: Tenant,
  scope: SearchScope,
  text: string,
): Promise<string | null> => {
  const words = wordsOf(text);
  if (words.length === 0) return null;
  const hits = await search(view, tenant, scope, text);
  const first = new Map<string, Set<string>>();
  const names = new Map<string, Set<string>>();
  for (const hit of hits) {
    if (!names.has(hit.documentId)) names.set(hit.documentId, termsIn(hit.titleTerms));
    if (hit.position === 0) first.set(hit.documentId, termsIn(hit.terms, hit.headingTerms));
  }
  let best: { id: string; score: number } | null = null;
  const numbers = numbersIn(text);
  const generic = words.filter(isGeneric);
  const telling = words.filter((forms) => !generic.includes(forms));
  for (const [id, name] of names) {
    const all = new Set([...name, ...(first.get(id) ?? [])]);
    const isThere = holds(all, generic);
    const count = Math.max(1, telling.length + isThere);
    const inName = (holdsLike(name, telling) + holds(name, generic)) / count;
    const inAll = (holdsLike(all, telling) + isThere) / count;
    const score = inAll + inName / 2;
    if ([...name].some((term) => /^\d{1,3}$/.test(term)) && numbers.some((number) => !name.has(number))) continue;
    if (inName >= minInName && inAll >= minInAll && (best === null || score > best.score)) best = { id, score };
  }
  return best?.id ?? null;
};

/** The numbers of a text but those of days: "protocol 15" is not the document "Protocol 12". */
const numbersIn = (text: string): string[] => {
  const undated = datesIn(text).reduce((left, { written }) => left.replace(written, " "), text);
  return undated.match(/(?<![\p{L}\p{N}.,-])\d{1,3}(?![\p{L}\p{N}]|[.,-]\d)/gu) ?? [];
};

type FindDocuments = (view: SnippetView, tenant: Tenant, scope: SearchScope, text: string) => Promise<string[]>;

/** Ids of the documents of which a snippet is told by the words of a text; none for a text without words. */
const documentsWhere =
  (isTold: (hit: SnippetHit, words: readonly string[][]) => boolean): FindDocuments =>
  async (view, tenant, scope, text) => {
    const words = wordsOf(text);
    if (words.length === 0) return [];
    const hits = await search(view, tenant, scope, text);
    return [...new Set(hits.filter((hit) => isTold(hit, words)).map(({ documentId }) => documentId))];
  };

/** Ids of the documents whose name and title have all words of a text, and whose name has one of them. */
export const documentsCalled = documentsWhere(({ titleTerms, headingTerms, position }, words) => {
  const called = position === 0 ? termsIn(titleTerms, headingTerms) : termsIn(titleTerms);
  return holds(called, words) === words.length && holds(termsIn(titleTerms), words) > 0;
});

/** Ids of the documents that have all words of a text within one snippet, its headings and their name. */
export const documentsMentioning = documentsWhere(
  ({ terms, headingTerms, titleTerms }, words) =>
    holds(termsIn(terms, headingTerms, titleTerms), words) === words.length,
);
