import { isDenseTerm } from "../../text/analysis/analyze.ts";
import { denseTerms } from "../../text/analysis/dense-terms.ts";
import type { QueryWord } from "../text-score.ts";

/** What a reader takes for one word of the question: one word of the search, or the character pairs of one word. */
export interface QuestionUnit {
  /** Places of its words in the list of the search's words; not empty. */
  members: readonly number[];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * The units of a question. In a script without spaces, the search knows pairs of characters; those of one word (by the
 * dictionary of ICU) are one unit here, and those that lie across two words, which no text is likely to contain, are
 * none. Characters that are words by themselves and follow each other are one unit, since many of them are names.
 * @param texts the texts that the words come from
 */
export const questionUnits = (words: readonly QueryWord[], texts: readonly string[]): QuestionUnit[] => {
  const pairs = new Map<string, number>();
  const units: QuestionUnit[] = [];
  for (const [at, { forms }] of words.entries()) {
    const [first] = forms;
    if (first !== undefined && isDenseTerm(first.term)) pairs.set(first.term, at);
    else units.push({ members: [at] });
  }
  if (pairs.size === 0) return units;
  const known = new Set<string>();
  for (const part of texts.flatMap(wordsOf)) {
    const members = [...new Set(denseTerms(part, { singles: false }).flatMap((term) => pairs.get(term) ?? []))];
    const key = members.join();
    if (members.length === 0 || known.has(key)) continue;
    known.add(key);
    units.push({ members });
  }
  // A dictionary that knows none of the words says nothing.
  return units.length > 0 ? units : [...pairs.values()].map((at) => ({ members: [at] }));
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
    if (isWordLike !== true || !isDenseTerm(segment)) endSingle();
    else if (segment.length === 1) single += segment;
    else {
      endSingle();
      found.push(segment);
    }
  }
  endSingle();
  return found;
};
