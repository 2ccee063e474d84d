import type { QueryWord, TextFields } from "../text-score.ts";

/** Terms that follow each other in a snippet and are looked at together. */
const narrowTerms = 10;
/** Shorter terms have no related ones. */
const minRelated = 4;
/** The common beginning that makes two terms related, as a part of the shorter one. */
const minCommonShare = 0.6;
/** A term this long may be a part of a compound. */
const minPart = 5;

/** The distinct terms of a snippet, its headings and its title. */
export const fieldTerms = ({ terms, headingTerms, titleTerms }: TextFields): ReadonlySet<string> =>
  new Set(`${terms} ${headingTerms} ${titleTerms}`.split(" "));

/**
 * For each word of the question: 1 if the snippet contains it, else how much of it a related term shares, which has the
 * same beginning or is a part of it (other endings, compounds); 0 if there is none.
 */
export const softCredits = (terms: ReadonlySet<string>, words: readonly QueryWord[]): number[] =>
  words.map(({ forms }) => {
    if (forms.some(({ term }) => terms.has(term))) return 1;
    let best = 0;
    for (const { term } of forms) {
      if (term.length < minRelated) continue;
      for (const other of terms) if (other.length >= minRelated) best = Math.max(best, relatedness(term, other));
    }
    return best;
  });

const relatedness = (a: string, b: string): number => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  let common = 0;
  while (common < short.length && short.charCodeAt(common) === long.charCodeAt(common)) common++;
  if (common >= minRelated && common >= minCommonShare * short.length) return common / long.length;
  return short.length >= minPart && long.includes(short) ? short.length / long.length : 0;
};

/** The largest sum of rarities of the question's words that stand within a few terms of each other. */
export const narrowCoverage = (terms: string, words: readonly QueryWord[], rarities: readonly number[]): number => {
  const wordsOf = new Map<string, number[]>();
  for (const [index, { forms }] of words.entries())
    for (const { term } of forms) wordsOf.set(term, [...(wordsOf.get(term) ?? []), index]);
  const held = new Array<number>(words.length).fill(0);
  const list = terms.split(" ");
  let covered = 0;
  let best = 0;
  const count = (term: string | undefined, change: 1 | -1): void => {
    for (const word of wordsOf.get(term ?? "") ?? []) {
      const before = held[word] ?? 0;
      held[word] = before + change;
      if (before === 0 || held[word] === 0) covered += change * (rarities[word] ?? 0);
    }
  };
  for (const [index, term] of list.entries()) {
    count(term, 1);
    if (index >= narrowTerms) count(list[index - narrowTerms], -1);
    best = Math.max(best, covered);
  }
  return best;
};
