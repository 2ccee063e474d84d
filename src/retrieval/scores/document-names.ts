import type { QueryTerm } from "../../text/analysis/analyze.ts";
import { monthOfTerm } from "../../text/dates.ts";
import { fold } from "../../text/language/fold.ts";
import { rareFormWeight } from "./fusion-weights.ts";

const fullYear = /^(?:fy)?((?:19|20)\d\d)$/;
const fiscalYear = /^fy(\d\d)$/;
/** Two-digit years up to this one are of this century. */
const lastShortYear = 50;

/** All forms in which documents and names write the year of a term: `2019`, `fy2019`, `fy19`. Other terms: none. */
export const yearForms = (term: string): string[] => {
  const short = fiscalYear.exec(term)?.[1];
  const year = short === undefined ? fullYear.exec(term)?.[1] : `${Number(short) <= lastShortYear ? 20 : 19}${short}`;
  return year === undefined ? [] : [year, `fy${year}`, `fy${year.slice(2)}`];
};

/** Whether a code of a question, such as `FY2019`, is only a year, which need not be found as it is written. */
export const isYear = (code: string): boolean => yearForms(code.toLowerCase()).length > 0;

/** Signs inside a code, which names leave out: `hx300_manual.pdf`. */
const signs = /[-_./]/g;
const code = /^[a-z\d]{1,24}(?:[-_./][a-z\d]{1,24}){1,3}$/;
const digit = /\d/;
const plainCode = /^([a-z]{1,6})(\d{1,6})$/;

/** A code with its signs left out, or with one between its letters and digits; other terms: none. */
export const codeForms = (term: string): string[] => {
  if (term.length > 24 || isYear(term)) return [];
  if (digit.test(term) && code.test(term)) return [term.replace(signs, "")];
  const parts = plainCode.exec(term);
  return parts === null ? [] : [`${parts[1]}-${parts[2]}`];
};

const word = /[\p{L}\p{M}\p{N}]+/gu;
const capitalized = /^\p{Lu}/u;
/** Names that are joined, and how much of a question is read for them. */
const maxJoined = 8;
const maxCharacters = 1_000;
/** Words in a name at most. */
const maxWords = 3;

/** Names of two and three capitalized words as file names write them, such as `blueharbor`, with their folded first word. */
export const joinedNames = (question: string): { first: string; joined: string }[] => {
  const words = question.slice(0, maxCharacters).match(word) ?? [];
  const names: { first: string; joined: string }[] = [];
  for (let at = 0; at + 1 < words.length && names.length < maxJoined; at++) {
    const name = words.slice(at, at + maxWords);
    const lowerCase = name.findIndex((part) => !capitalized.test(part));
    const parts = name.slice(0, lowerCase < 0 ? maxWords : lowerCase).map((part) => fold(part.toLowerCase()));
    for (let length = 2; length <= parts.length; length++)
      names.push({ first: parts[0] ?? "", joined: parts.slice(0, length).join("") });
  }
  return names.slice(0, maxJoined);
};

/**
 * The terms of a question with the other forms that names of documents have: of years, of codes, and words of a name as
 * one. They count as forms of the question's words, not as words of their own.
 */
export const withNameForms = (terms: readonly QueryTerm[], question: string): QueryTerm[] => {
  const known = new Set(terms.map(({ term }) => term));
  const added: QueryTerm[] = [];
  const add = (form: QueryTerm): void => {
    if (known.has(form.term)) return;
    known.add(form.term);
    added.push(form);
  };
  for (const term of terms) {
    for (const form of yearForms(term.term)) {
      const isRare = form.startsWith("fy");
      add({ ...term, term: form, weight: isRare ? rareFormWeight * term.weight : term.weight });
    }
    for (const form of codeForms(term.term)) add({ ...term, term: form, weight: rareFormWeight * term.weight });
    // "The March meeting": names of documents have `2026-03-17`.
    const month = monthOfTerm(term.term);
    if (month !== null) add({ ...term, term: String(month).padStart(2, "0"), weight: rareFormWeight * term.weight });
  }
  for (const { first, joined } of joinedNames(question)) {
    const own = terms.find(({ term, isInflection }) => term === first && !isInflection);
    if (own !== undefined) add({ ...own, term: joined });
  }
  return [...terms, ...added];
};
