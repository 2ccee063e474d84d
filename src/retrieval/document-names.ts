import type { QueryTerm } from "../text/analysis/analyze.ts";

/** A year as it stands in a question or a name: `2019`, `FY2019`, `FY19`. */
const year = /^(?:fy)?((?:19|20)\d\d)$/;
const shortYear = /^fy(\d\d)$/;

/** Two-digit years up to this one are of this century. */
const lastShortYear = 50;

/** Further forms in which documents write a year of the question; none for other terms. */
export const yearForms = (term: string): string[] => {
  const short = shortYear.exec(term)?.[1];
  const full = short === undefined ? year.exec(term)?.[1] : `${Number(short) <= lastShortYear ? "20" : "19"}${short}`;
  return full === undefined ? [] : [full, `fy${full}`, `fy${full.slice(2)}`].filter((form) => form !== term);
};

/** Pairs of neighboring words that are tried as one: file names write `Blue Harbor` as `blueharbor`. */
const maxPairs = 16;
const latinWord = /^[a-z]{2,}$/;
const longestForm = 20;

/**
 * The terms of a question with the other forms that names of documents have: years as `FY19`, two words as one. Years are
 * forms of the same word, joined words are words of their own.
 */
export const withNameForms = (terms: readonly QueryTerm[]): QueryTerm[] => {
  const known = new Set(terms.map(({ term }) => term));
  const added: QueryTerm[] = [];
  const add = (form: QueryTerm): void => {
    if (known.has(form.term)) return;
    known.add(form.term);
    added.push(form);
  };
  for (const { term, weight, word } of terms) for (const form of yearForms(term)) add({ term: form, weight: /^f/.test(form) ? Number(process.env.FYW ?? 0.3) * weight : weight, word });
  return [...terms, ...added];
};
