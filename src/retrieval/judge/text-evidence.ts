import type { MeanLengths } from "../../text/bm25.ts";
import type { Candidate } from "../scores/candidates.ts";
import { createTextScorer, type QueryWord } from "../scores/text-score.ts";
import { askingTerms } from "./asking-words.ts";
import {
  createRunFinders,
  createSimilarCredits,
  creditOf,
  fieldTerms,
  narrowCoverage,
  softCredits,
  sumOf,
} from "./found-words.ts";
import { firmTerms, isMissingCode, type QuestionText, scanQuestion } from "./question-text.ts";
import { type QuestionUnit, questionUnits } from "./question-units.ts";
import { storeRarity } from "./rarity.ts";

export interface TextInput {
  /** Best first by full text. */
  candidates: readonly Candidate[];
  words: readonly QueryWord[];
  /** The texts that the words come from. */
  texts: readonly string[];
  frequencies: { snippets: number; counts: ReadonlyMap<string, number>; lengths: MeanLengths };
  /** Part of the question's terms that are of a script without spaces, 0 to 1. */
  dense: number;
}

/** What full text says of a question: sums of the rarities of its units. */
interface TextEvidence {
  /** Of all units, and of those that the best snippet has, also by related words. */
  total: number;
  covered: number;
  /** Of those that one snippet has, also by words that are alike in their letters. */
  alike: number;
  /** Of the names, numbers and identifiers that the best snippet lacks; 0 if there are none. */
  namesMissing: number;
  /** The largest sum that one snippet has within a few words. */
  narrow: number;
  /** By how much the best text score leads the tenth. */
  lead: number;
}

/**
 * A code that no document has counts so many times more than another rare word that is missing: of questions with a code, a
 * model or a year, 3 % lack it of those whose answer is there, and 55 % of the others (six collections, 350 questions).
 */
const missingCodeWeight = 3;
/** Snippets whose words are looked at, the best by full text. */
const maxLookedAt = 5;
/** The lead is that before the candidate of this rank. */
const leadRank = 10;
/** Candidates of the search that are scored by the judge's rarities: its order differs little. */
const maxScored = 20;

export const textEvidence = ({ candidates, words: all, texts, frequencies, dense }: TextInput): TextEvidence => {
  const countOf = (term: string): number => frequencies.counts.get(term) ?? 0;
  const rarityIn = storeRarity(frequencies);
  const scanned = texts.map(scanQuestion);
  const words = withoutAskingWords(all, scanned).map(({ forms, weight }) => {
    const rarity = rarityIn.ofWord(forms);
    const idfOf = ({ term, isInflection }: (typeof forms)[number]): number =>
      isInflection ? rarity : rarityIn.ofTerm(term);
    return { weight, rarity: weight * rarity, forms: forms.map((form) => ({ ...form, idf: idfOf(form) })) };
  });
  const scorer = createTextScorer(words, frequencies.lengths, dense);
  const scored = candidates
    .slice(0, maxScored)
    .map(({ hit }) => ({ hit, ...scorer.score(hit) }))
    .sort((a, b) => b.score - a.score);
  const rarities = words.map(({ rarity }) => rarity);
  const known = words.map(({ forms }) => forms.some(({ term }) => countOf(term) > 0));
  const firmly = firmTerms(scanned);
  const formsOf = (member: number): QueryWord["forms"] => words[member]?.forms ?? [];
  const rarityOfWhole = ({ members, written }: QuestionUnit): number | null => {
    const pairs = members.flatMap((member) => formsOf(member).map(({ term }) => term));
    return written === null ? null : rarityIn.ofUnspacedWord(written, pairs);
  };
  const units = questionUnits(words, scanned, known).map((unit) => ({
    ...unit,
    rarity: rarityOfWhole(unit) ?? Math.max(...unit.members.map((member) => rarities[member] ?? 0)),
    isFirm: unit.members.some((member) => formsOf(member).some(({ term }) => firmly.has(term))),
  }));
  const firm = units.filter(({ isFirm }) => isFirm);
  // As written too: in `North,2022,1200` the commas make one number of three.
  const isWritten = (term: string): boolean =>
    countOf(term) > 0 || scored.some(({ hit }) => hit.text.toLowerCase().includes(term));
  const isMissing = ({ members }: QuestionUnit): boolean =>
    members.some((member) => formsOf(member).every(({ term }) => isMissingCode(term, isWritten)));
  const missingCodes = missingCodeWeight * sumOf(firm.filter(isMissing).map(({ rarity }) => rarity));
  /** What each word brings to its unit's rarity; 0 for those in none. */
  const shares = new Array<number>(words.length).fill(0);
  for (const { members, rarity } of units) for (const member of members) shares[member] = rarity / members.length;
  const best = { covered: 0, alike: 0, firm: 0, narrow: 0 };
  const similarCredits = createSimilarCredits(words);
  const runsIn = createRunFinders();
  for (const { hit, score } of scored.slice(0, maxLookedAt)) {
    if (score === 0) break;
    const terms = fieldTerms(hit);
    const credits = softCredits(terms, words);
    const runs = runsIn(hit);
    const covered = creditOf(units, credits, runs);
    if (covered > best.covered) Object.assign(best, { covered, firm: creditOf(firm, credits, runs) });
    best.alike = Math.max(best.alike, creditOf(units, similarCredits(terms, credits), runs));
    best.narrow = Math.max(best.narrow, narrowCoverage(hit.terms, words, shares));
  }
  return {
    total: sumOf(units.map(({ rarity }) => rarity)),
    covered: best.covered,
    alike: best.alike,
    namesMissing: sumOf(firm.map(({ rarity }) => rarity)) + missingCodes - best.firm,
    narrow: best.narrow,
    lead: (scored[0]?.score ?? 0) - (scored[leadRank - 1]?.score ?? 0),
  };
};

/** All of them where there is nothing else. */
const withoutAskingWords = (words: readonly QueryWord[], texts: readonly QuestionText[]): readonly QueryWord[] => {
  const isAsking = askingTerms(texts);
  const left = words.filter(({ forms }) => !forms.some(({ term }) => isAsking(term)));
  return left.length === 0 ? words : left;
};
