import { syllablePairs } from "../../text/analysis/document-terms.ts";
import { denseTerms } from "../../text/analysis/term.ts";
import { isUnspaced } from "../../text/language/scripts.ts";
import type { QueryWord } from "../scores/text-score.ts";
import { isAskingSegment } from "./asking-words.ts";
import type { QuestionText } from "./question-text.ts";

/** What a reader takes for one word of the question: one word of the search, or the character pairs of one word. */
export interface QuestionUnit {
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
