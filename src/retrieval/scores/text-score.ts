import type { SnippetRecord } from "../../domain/records.ts";
import type { QueryTerm } from "../../text/analysis/analyze.ts";
import {
  bm25,
  createTermCounter,
  inverseDocumentFrequency,
  type LengthUnit,
  type MeanLengths,
  textLength,
} from "../../text/bm25.ts";
import { yearForms } from "./document-names.ts";
import { titleWeight } from "./fusion-weights.ts";

const { k1, b } = bm25;

export type TextFields = Pick<SnippetRecord, "terms" | "headingTerms" | "titleTerms">;

/** A word of the question with all its forms. */
export interface QueryWord {
  forms: QueryForm[];
  weight: number;
}

interface QueryForm {
  term: string;
  /** Rarity; of an inflection at most that of the word, less a part. */
  idf: number;
  /** Rarity among the names of documents; 0 if no name has it. */
  nameIdf: number;
  isInflection: boolean;
}

/**
 * What an inflection counts of its word. Over 34 sets, .8 gives .42 points of nDCG@10, a half .26, and as much as the word itself
 * nothing: what is found word for word then no longer comes first (bench/quality/ranking.md).
 */
const inflectionShare = 0.8;

/** Rarity of the word: that of its commonest form. */
const rarityOf = (forms: readonly QueryForm[]): number =>
  Math.min(...forms.filter(({ isInflection }) => !isInflection).map(({ idf }) => idf));

export interface TextScorer {
  /**
   * Score of a snippet; the part of the question's words, by weight and rarity, that it contains; and the sum of the
   * rarities, among names, of the words that name its document.
   */
  score(fields: TextFields): { score: number; coverage: number; naming: number };
  /** Sum over the words of weight times rarity: what `coverage` is a part of. */
  readonly total: number;
}

/** Groups terms by the word they come from, with the rarity of each. All forms of a year are as rare as the year. */
export const queryWords = (
  terms: readonly QueryTerm[],
  frequencies: { snippets: number; counts: ReadonlyMap<string, number>; titles: ReadonlyMap<string, number> },
): QueryWord[] => {
  const words = new Map<number, QueryWord>();
  const { snippets } = frequencies;
  const countOf = (counts: ReadonlyMap<string, number>, term: string): number => {
    const years = yearForms(term);
    const forms = years.length === 0 ? [term] : years;
    return Math.min(
      snippets,
      forms.reduce((sum, form) => sum + (counts.get(form) ?? 0), 0),
    );
  };
  const idfOf = (term: string): number => inverseDocumentFrequency(snippets, countOf(frequencies.counts, term));
  for (const { term, weight, word, isInflection } of terms) {
    if (isInflection) continue;
    const named = countOf(frequencies.titles, term);
    const nameIdf = named === 0 ? 0 : inverseDocumentFrequency(snippets, named);
    const form = { term, idf: idfOf(term), nameIdf, isInflection: false };
    const known = words.get(word);
    if (known === undefined) words.set(word, { forms: [form], weight });
    else {
      known.forms.push(form);
      known.weight = Math.max(known.weight, weight);
    }
  }
  for (const { term, word, isInflection } of terms) {
    const forms = words.get(word)?.forms;
    if (isInflection && forms !== undefined)
      forms.push({ term, idf: inflectionShare * Math.min(idfOf(term), rarityOf(forms)), nameIdf: 0, isInflection });
  }
  return [...words.values()];
};

/** From this part of the question's terms on, the texts it finds are in a script without spaces. */
const minDenseShare = 0.5;

/**
 * What the length of a snippet is measured by: its characters, which count short and common words less than long ones;
 * where the question is in a script without spaces, its terms, because a Latin name among pairs of characters is one term
 * with the characters of five. Measured in points of nDCG: Japanese help +.6, Chinese handbook +1.2; terms in all scripts
 * would lose 1.0 on German help (bench/quality).
 */
const lengthUnitFor = (dense: number): LengthUnit => (dense >= minDenseShare ? "terms" : "characters");

/**
 * BM25 over text, headings and title as weighted fields of one document (BM25F, Robertson, Zaragoza and Taylor 2004):
 * unlike a sum of scores it does not reward a word for occurring in each of them. Headings make a snippet longer, but a word
 * in one counts in full: divided by the length, it would raise the short last page of a section over the one that answers.
 * A word counts once, by its best form.
 * @param lengths of the store's snippets
 * @param dense part of the question's terms that belong to a script written without spaces, 0 to 1
 */
export const createTextScorer = (words: readonly QueryWord[], lengths: MeanLengths, dense: number): TextScorer => {
  const weights = words.map(({ forms, weight }) => weight * rarityOf(forms));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const countsOf = createTermCounter(words.flatMap(({ forms }) => forms.map(({ term }) => term)));
  const unit = lengthUnitFor(dense);
  const lengthOf = textLength[unit];
  const meanLength = Math.max(1, lengths[unit]);
  return {
    total,
    score(fields) {
      const norm = 1 - b + (b * lengthOf(fields)) / meanLength;
      const inText = countsOf(fields.terms);
      const inHeadings = countsOf(fields.headingTerms);
      const inTitle = countsOf(fields.titleTerms);
      let score = 0;
      let covered = 0;
      let naming = 0;
      for (const [index, { forms, weight }] of words.entries()) {
        let best = 0;
        let isFound = false;
        let named = 0;
        for (const { term, idf, nameIdf } of forms) {
          const isNamed = inTitle.has(term);
          const frequency = (inText.get(term) ?? 0) / norm + (inHeadings.get(term) ?? 0) + (isNamed ? titleWeight : 0);
          if (isNamed) named = Math.max(named, weight * nameIdf);
          if (frequency === 0) continue;
          isFound = true;
          best = Math.max(best, (weight * idf * (k1 + 1) * frequency) / (k1 + frequency));
        }
        score += best;
        naming += named;
        if (isFound) covered += weights[index] ?? 0;
      }
      return { score, coverage: total === 0 ? 0 : covered / total, naming };
    },
  };
};
