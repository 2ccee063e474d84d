import { inverseDocumentFrequency } from "../../retrieval/text-score.ts";
import { analyze, analyzeQuery } from "../../text/analysis/analyze.ts";
import { asksForNumber } from "./asks-for-number.ts";

/** What a passage is scored by. */
export interface ScoredText {
  text: string;
  /** Index of its snippet; passages of one snippet stand together, in reading order. */
  snippet: number;
  /** Runs on from the sentence before: no list item, table row or heading. */
  isProse: boolean;
}

/** What a number in the sentence is worth where the question asks for one. */
const numberWorth = 0.2;
/** What a word of the question is worth that only the sentence before holds, or the one after. */
const beforeWorth = 0.4;
const afterWorth = 0.2;
/** What a word is worth of which only a relative stands in the sentence: a compound, another ending. */
const relativeWorth = 0.35;
/** What a word counts that stands in earlier turns alone: the topic, but not what is asked now. */
const earlierWorth = 0.1;
/** Relatives begin with as many equal letters, and with this part of the shorter one. */
const sharedLetters = 5;
const sharedPart = 0.6;

/** A word of the question and where it stands. */
interface Word {
  forms: readonly string[];
  /** Rarity among the passages, times what the word counts. */
  idf: number;
  /** Of each passage, whether it holds the word. */
  held: readonly boolean[];
}

/**
 * How likely each passage answers the question, as parts of the rarity of the question's words: those it holds count 1,
 * those that only the sentences beside it hold count less (an answer says "he" or nothing where the sentence
 * before has the name), as do relatives of them; a number counts where one is asked for. (The worths were found on
 * questions in German, Spanish, Russian and Chinese; leaving one language out finds about the same for it.)
 * @param understood the question with what it takes from earlier turns, where there are any
 * @returns about 0 to 1.5, in the order of the passages
 */
export const scoresOfPassages = (
  question: string,
  passages: readonly ScoredText[],
  understood: string = question,
): number[] => {
  const terms = passages.map(({ text }) => new Set(analyze(text)));
  const words = wordsOf(question, understood, terms);
  const rarity = (counted: readonly Word[]): number => counted.reduce((sum, { idf }) => sum + idf, 0);
  const ofHeld = rarity(words.filter(({ held }) => held.includes(true))) || 1;
  const ofAll = rarity(words) || 1;
  const wantsNumber = asksForNumber(question);
  return passages.map(({ text, snippet, isProse }, index) => {
    const missing = words.filter(({ held }) => !held[index]);
    const heldBy = (other: number): number => {
      const neighbor = passages[other];
      if (!isProse || !neighbor?.isProse || neighbor.snippet !== snippet) return 0;
      return rarity(missing.filter(({ held }) => held[other])) / ofHeld;
    };
    const own = rarity(words.filter(({ held }) => held[index])) / ofHeld;
    const relatives = rarity(missing.filter(({ forms }) => holdsRelative(terms[index] ?? new Set(), forms))) / ofAll;
    const number = wantsNumber && /\p{Nd}/u.test(text) ? numberWorth : 0;
    const neighbors = beforeWorth * heldBy(index - 1) + afterWorth * heldBy(index + 1);
    return own + neighbors + relativeWorth * relatives + number;
  });
};

const wordsOf = (question: string, understood: string, passages: readonly ReadonlySet<string>[]): Word[] => {
  const own = formsOfWords(question);
  const asked = new Set(own.flat());
  const earlier = understood === question ? [] : formsOfWords(understood).filter((forms) => !forms.some(isIn(asked)));
  const word = (worth: number) => (forms: readonly string[]) => {
    const held = passages.map((terms) => forms.some(isIn(terms)));
    const idf = inverseDocumentFrequency(passages.length, held.filter(Boolean).length);
    return { forms, idf: worth * idf, held };
  };
  return [...own.map(word(1)), ...earlier.map(word(earlierWorth))];
};

const formsOfWords = (text: string): string[][] => {
  const forms = new Map<number, string[]>();
  for (const { term, word } of analyzeQuery(text).terms) forms.set(word, [...(forms.get(word) ?? []), term]);
  return [...forms.values()];
};

const isIn =
  (terms: ReadonlySet<string>) =>
  (term: string): boolean =>
    terms.has(term);

const holdsRelative = (terms: ReadonlySet<string>, forms: readonly string[]): boolean => {
  for (const form of forms) {
    if (form.length < sharedLetters) continue;
    const beginning = form.slice(0, sharedLetters);
    for (const term of terms) if (term.startsWith(beginning) && sharesBeginning(term, form)) return true;
  }
  return false;
};

const sharesBeginning = (a: string, b: string): boolean => {
  const shorter = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < shorter && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared >= sharedPart * shorter;
};
