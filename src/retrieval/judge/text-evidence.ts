import { syllablePairs } from "../../text/analysis/document-terms.ts";
import { denseTerms } from "../../text/analysis/term.ts";
import type { MeanLengths } from "../../text/bm25.ts";
import { isUnspaced } from "../../text/language/fold.ts";
import type { Candidate } from "../scores/candidates.ts";
import { createTextScorer, type QueryWord } from "../scores/text-score.ts";
import { askingTerms, isAskingSegment } from "./asking-words.ts";
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

/** What a reader takes for one word of the question: one word of the search, or the character pairs of one word. */
interface QuestionUnit {
  /** Places of its words in the list of the search's words; not empty. */
  members: readonly number[];
  /** The word in a script without spaces; null: it is one word of the search. */
  written: string | null;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * The units of a question. In a script without spaces, the search knows pairs of characters; those of one word (by the
 * dictionary of ICU) are one unit here, and those that lie across two words, which no text is likely to contain, are
 * none; nor are words that only ask. Characters that are words by themselves and follow each other are one unit, since
 * many of them are names. Vietnamese syllables are one unit where the documents have them as a pair.
 * @param texts the texts that the words come from
 * @param known for each word, whether a document contains it
 */
export const questionUnits = (
  words: readonly QueryWord[],
  texts: readonly QuestionText[],
  known: readonly boolean[],
): QuestionUnit[] => {
  const pairs = new Map<string, number>();
  const spaced: number[] = [];
  for (const [at, { forms }] of words.entries()) {
    const [first] = forms;
    if (first !== undefined && isUnspaced(first.term)) pairs.set(first.term, at);
    else spaced.push(at);
  }
  const units = syllableUnits(words, spaced, texts, known).map((at) => ({ members: [at], written: null }));
  if (pairs.size === 0) return units;
  return [...units, ...denseUnits(pairs, texts)];
};

/** The spaced words, with pairs of Vietnamese syllables in place of both where a document has the pair. */
const syllableUnits = (
  words: readonly QueryWord[],
  spaced: readonly number[],
  texts: readonly QuestionText[],
  known: readonly boolean[],
): readonly number[] => {
  const vietnamese = texts.filter(({ isVietnamese }) => isVietnamese);
  if (vietnamese.length === 0) return spaced;
  const placeOf = new Map(spaced.map((at) => [words[at]?.forms[0]?.term ?? "", at]));
  const left = new Set(spaced);
  const joined: number[] = [];
  for (const pair of vietnamese.flatMap(({ items }) => syllablePairs(items))) {
    const at = placeOf.get(pair);
    if (at === undefined || !left.delete(at)) continue;
    const halves = pair.split("_").flatMap((half) => placeOf.get(half) ?? []);
    if (known[at] !== true || halves.length !== 2 || !halves.every((half) => left.has(half))) continue;
    for (const half of halves) left.delete(half);
    joined.push(at);
  }
  // A question of function words alone is searched by its pairs.
  const units = [...joined, ...left];
  return units.length > 0 ? units : spaced;
};

const denseUnits = (pairs: ReadonlyMap<string, number>, texts: readonly QuestionText[]): QuestionUnit[] => {
  const units: QuestionUnit[] = [];
  const seen = new Set<string>();
  for (const part of texts.flatMap(({ text }) => wordsOf(text))) {
    const members = [...new Set(denseTerms(part, { singles: false }).flatMap((term) => pairs.get(term) ?? []))];
    const key = members.join();
    if (members.length === 0 || seen.has(key)) continue;
    seen.add(key);
    units.push({ members, written: part });
  }
  // A dictionary that knows none of the words says nothing.
  return units.length > 0 ? units : [...pairs.values()].map((at) => ({ members: [at], written: null }));
};

/** Words in a script without spaces, those of one character joined with their neighbors of one. */
const wordsOf = (text: string): string[] => {
  const found: string[] = [];
  let single = "";
  const endSingle = (): void => {
    if (single !== "") found.push(single);
    single = "";
  };
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike !== true || !isUnspaced(segment) || isAskingSegment(segment)) endSingle();
    else if (segment.length === 1) single += segment;
    else {
      endSingle();
      found.push(segment);
    }
  }
  endSingle();
  return found;
};
