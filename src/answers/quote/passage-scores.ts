import { mapInStretches } from "../../async/map-in-stretches.ts";
import { analyze, analyzeQuery } from "../../text/analysis/analyze.ts";
import { inverseDocumentFrequency } from "../../text/bm25.ts";
import { asksForNumber } from "./asks-for-number.ts";

/** What a passage is scored by. */
export interface ScoredText {
  text: string;
  /** Index of its snippet; the passages of a snippet follow each other in reading order. */
  snippet: number;
  /** A sentence of a paragraph: not a list item, table row or heading. */
  isProse: boolean;
  /** What it stands under: headings, the question it follows, the head of its table. */
  under: string;
}

/** Added for a number in the sentence, if the question asks for one. */
const numberWeight = 0.2;
/** Weights of a question word that only the sentence before or after contains. */
const beforeWeight = 0.4;
const afterWeight = 0.2;
/**
 * Weight of a question word that only what the passage stands under contains. A contract that names its parties in its title
 * alone states a fee that is theirs; with less weight, a sentence with their names comes before the one with the fee.
 */
const underWeight = 0.7;
/** Weight of a question word of which the sentence contains only a related word: a compound, another ending. */
const relatedWeight = 0.35;
/** Weight of a word that only earlier turns contain: it is about the topic, not about what is asked now. */
const earlierWeight = 0.1;
/** Related words begin with this many equal letters, and share this part of the shorter word. */
const minSharedLetters = 5;
const minSharedPart = 0.6;

/** A word of the question and the passages that contain it. */
interface Word {
  forms: readonly string[];
  /** Rarity among the passages, times the word's weight. */
  idf: number;
  /** For each passage, whether it contains the word. */
  held: readonly boolean[];
  /** For each passage, whether what it stands under contains the word. */
  heldAbove: readonly boolean[];
}

/**
 * How likely each passage answers the question. Each word of the question counts by its rarity: 1 if the passage contains
 * it, less if only what it stands under does (a heading, the head of a table) or a sentence beside it (an answer says "he"
 * where the sentence before has the name), or if the passage contains only a related word. A number counts if one is asked
 * for. (The weights but that of what it stands under were fitted on questions in German, Spanish, Russian and Chinese;
 * leaving one language out gives about the same figures for it.) Other work has its turn meanwhile: a question of 8,000
 * characters has thousands of words.
 * @param understood the question with what it adds from earlier turns
 * @returns about 0 to 1.5, in the order of the passages
 */
export const scoresOfPassages = async (
  question: string,
  passages: readonly ScoredText[],
  understood: string = question,
): Promise<number[]> => {
  const terms = await mapInStretches(passages, ({ text }) => new Set(analyze(text)));
  const above = await termsAbove(passages);
  const words = await wordsOf(question, understood, terms, above);
  const rarity = (counted: readonly Word[]): number => counted.reduce((sum, { idf }) => sum + idf, 0);
  const ofHeld = rarity(words.filter(({ held, heldAbove }) => held.includes(true) || heldAbove.includes(true))) || 1;
  const ofAll = rarity(words) || 1;
  const wantsNumber = asksForNumber(question);
  return mapInStretches(passages, ({ text, snippet, isProse }, index) => {
    const under = rarity(words.filter(({ held, heldAbove }) => !held[index] && heldAbove[index])) / ofHeld;
    const missing = words.filter(({ held, heldAbove }) => !held[index] && !heldAbove[index]);
    const heldBy = (other: number): number => {
      const neighbor = passages[other];
      if (!isProse || !neighbor?.isProse || neighbor.snippet !== snippet) return 0;
      return rarity(missing.filter(({ held }) => held[other])) / ofHeld;
    };
    const own = rarity(words.filter(({ held }) => held[index])) / ofHeld;
    const related = rarity(missing.filter(({ forms }) => containsRelated(terms[index] ?? new Set(), forms))) / ofAll;
    const number = wantsNumber && /\p{Nd}/u.test(text) ? numberWeight : 0;
    const neighbors = beforeWeight * heldBy(index - 1) + afterWeight * heldBy(index + 1);
    return own + underWeight * under + neighbors + relatedWeight * related + number;
  });
};

/** The terms that each passage stands under; those of one heading are analyzed once. */
const termsAbove = (passages: readonly ScoredText[]): Promise<ReadonlySet<string>[]> => {
  const known = new Map<string, ReadonlySet<string>>();
  return mapInStretches(passages, ({ under }) => {
    const terms = known.get(under) ?? new Set(analyze(under));
    known.set(under, terms);
    return terms;
  });
};

const wordsOf = async (
  question: string,
  understood: string,
  passages: readonly ReadonlySet<string>[],
  above: readonly ReadonlySet<string>[],
): Promise<Word[]> => {
  const { words: all, isOfFunctionWords } = formsOfWords(question);
  const before = understood === question ? [] : formsOfWords(understood).words;
  // "Until when?" after a question is about what that one asked.
  const own = isOfFunctionWords && before.length > 0 ? [] : all;
  const asked = new Set(all.flat());
  const earlier = before.filter((forms) => !forms.some(isIn(asked)));
  const word = (weight: number) => (forms: readonly string[]) => {
    const held = passages.map((terms) => forms.some(isIn(terms)));
    const idf = inverseDocumentFrequency(passages.length, held.filter(Boolean).length);
    return { forms, idf: weight * idf, held, heldAbove: above.map((terms) => forms.some(isIn(terms))) };
  };
  return [...(await mapInStretches(own, word(1))), ...(await mapInStretches(earlier, word(earlierWeight)))];
};

const formsOfWords = (text: string): { words: string[][]; isOfFunctionWords: boolean } => {
  const { terms, isOfFunctionWords } = analyzeQuery(text);
  const forms = new Map<number, string[]>();
  for (const { term, word } of terms) forms.set(word, [...(forms.get(word) ?? []), term]);
  return { words: [...forms.values()], isOfFunctionWords };
};

const isIn =
  (terms: ReadonlySet<string>) =>
  (term: string): boolean =>
    terms.has(term);

const containsRelated = (terms: ReadonlySet<string>, forms: readonly string[]): boolean => {
  for (const form of forms) {
    if (form.length < minSharedLetters) continue;
    const beginning = form.slice(0, minSharedLetters);
    for (const term of terms) if (term.startsWith(beginning) && sharesBeginning(term, form)) return true;
  }
  return false;
};

const sharesBeginning = (a: string, b: string): boolean => {
  const shorter = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < shorter && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared >= minSharedPart * shorter;
};
