import type { SnippetRecord } from "../domain/records.ts";
import type { QueryTerm } from "../text/analysis/analyze.ts";
import { yearForms } from "./document-names.ts";
import { bm25, fieldWeights } from "./fusion-weights.ts";

const { k1, b } = bm25;
const E = { tcap: Number(process.env.TCAP ?? 99), tmin: Number(process.env.TMIN ?? 0) };

export type TextFields = Pick<SnippetRecord, "terms" | "headingTerms" | "titleTerms">;

/** A word of the question with all its forms. */
export interface QueryWord {
  /** `titleIdf`: rarity among the names of documents; 0 if no name has it. */
  forms: { term: string; idf: number; titleIdf: number }[];
  weight: number;
}

export interface TextScorer {
  /** Score of a snippet, and the part of the question's words, by weight and rarity, that it contains. */
  score(fields: TextFields): { score: number; coverage: number; naming: number };
  /** Sum over the words of weight times rarity: what `coverage` is a part of. */
  readonly total: number;
}

/** Rarity of a term (Robertson–Spärck Jones, never negative, as in Lucene and LanceDB). */
export const inverseDocumentFrequency = (snippets: number, count: number): number =>
  Math.log(1 + (snippets - count + 0.5) / (count + 0.5));

/** Groups terms by the word they come from, with the rarity of each. */
export const queryWords = (
  terms: readonly QueryTerm[],
  frequencies: { snippets: number; counts: ReadonlyMap<string, number>; titles: ReadonlyMap<string, number> },
): QueryWord[] => {
  const words = new Map<number, QueryWord>();
  for (const { term, weight, word } of terms) {
    const same = [term, ...yearForms(term)];
    const sum = (counts: ReadonlyMap<string, number>) => same.reduce((total, form) => total + (counts.get(form) ?? 0), 0);
    const count = sum(frequencies.counts);
    const idf = inverseDocumentFrequency(frequencies.snippets, Math.min(count, frequencies.snippets));
    const named = sum(frequencies.titles);
    const titleIdf = named === 0 ? 0 : inverseDocumentFrequency(frequencies.snippets, Math.min(named, frequencies.snippets));
    const known = words.get(word);
    if (known === undefined) words.set(word, { forms: [{ term, idf, titleIdf }], weight });
    else {
      known.forms.push({ term, idf, titleIdf });
      known.weight = Math.max(known.weight, weight);
    }
  }
  return [...words.values()];
};

/**
 * BM25 over text, headings and title as weighted fields of one document (BM25F, Robertson, Zaragoza and Taylor 2004):
 * unlike a sum of three scores it does not reward a word for occurring in each of them. A word counts once, by its best form.
 * @param averageLength mean length of the terms of a snippet, in characters
 */
export const createTextScorer = (words: readonly QueryWord[], averageLength: number): TextScorer => {
  const weights = words.map(({ forms, weight }) => weight * Math.min(...forms.map(({ idf }) => idf)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    total,
    score(fields) {
      const norm = 1 - b + (b * fields.terms.length) / averageLength;
      let score = 0;
      let covered = 0;
      let naming = 0;
      for (const [index, { forms, weight }] of words.entries()) {
        let best = 0;
        let found = false;
        let named = 0;
        for (const { term, idf, titleIdf } of forms) {
          const inTitle = countTerm(fields.titleTerms, term);
          const frequency =
            countTerm(fields.terms, term) / norm +
            fieldWeights.heading * countTerm(fields.headingTerms, term) +
            fieldWeights.title * Math.min(inTitle, E.tcap);
          if (inTitle > 0) named = Math.max(named, weight * Math.max(0, titleIdf - E.tmin));
          if (frequency === 0) continue;
          found = true;
          best = Math.max(best, (weight * idf * (k1 + 1) * frequency) / (k1 + frequency));
        }
        score += best;
        naming += named;
        if (found) covered += weights[index] ?? 0;
      }
      return { score, coverage: total === 0 ? 0 : covered / total, naming };
    },
  };
};

/** How often a term occurs in a list of terms separated by single spaces. */
export const countTerm = (terms: string, term: string): number => {
  let count = 0;
  for (let at = terms.indexOf(term); at >= 0; at = terms.indexOf(term, at + term.length)) {
    const end = at + term.length;
    const isWordStart = at === 0 || terms.charCodeAt(at - 1) === 32;
    if (isWordStart && (end === terms.length || terms.charCodeAt(end) === 32)) count++;
  }
  return count;
};
