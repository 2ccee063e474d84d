import { denseTerms } from "../../text/analysis/term.ts";
import { normalForm } from "../../text/clean-text.ts";
import type { QueryWord, TextFields } from "../scores/text-score.ts";

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

/** Shorter terms are similar to too many. */
const minCharacters = 3;
/** Terms that have less in common are strangers: half of their pairs of letters. */
const minSimilarity = 0.5;

/** Words of a question that are compared; the others are as they are: a long question costs no more. */
const maxCompared = 24;

/** A form of a word of the question, with its pairs of neighboring characters. */
interface Form {
  characters: number;
  pairs: ReadonlySet<number>;
}

/** Finds, for each word of the question, how similar the most similar of some terms is. */
type SimilarCredits = (terms: ReadonlySet<string>, credits: readonly number[]) => number[];

/**
 * Words as they are inflected in languages that no stemmer knows well: with something before (Arabic articles, German
 * participles), in between (umlauts), in other spellings. Two terms are as similar as the part of their pairs of
 * neighboring characters that both have (Dice), beginning and end included.
 * @param words of the question; what is known of a term is kept for its next snippet
 */
export const createSimilarCredits = (words: readonly QueryWord[]): SimilarCredits => {
  const formsOf = words
    .slice(0, maxCompared)
    .map(({ forms }) =>
      forms.flatMap(({ term }): Form[] =>
        term.length < minCharacters ? [] : [{ characters: term.length, pairs: new Set(pairsOf(term)) }],
      ),
    );
  const known = new Map<string, Float32Array>();
  const similaritiesOf = (term: string): Float32Array => {
    const found = known.get(term);
    if (found !== undefined) return found;
    const pairs = pairsOf(term);
    const similarities = Float32Array.from(formsOf, (forms) =>
      forms.reduce((best, form) => Math.max(best, similarity(pairs, form, best)), 0),
    );
    known.set(term, similarities);
    return similarities;
  };
  return (terms, credits) => {
    const best = [...credits];
    if (!best.some((credit) => credit < 1)) return best;
    for (const term of terms) {
      if (term.length < minCharacters) continue;
      const similarities = similaritiesOf(term);
      for (let word = 0; word < similarities.length; word++) {
        const similar = similarities[word] ?? 0;
        if (similar > (best[word] ?? 0)) best[word] = similar;
      }
    }
    return best;
  };
};

/** @returns 0 where it is not more than `atLeast`, which is then known sooner */
const similarity = (pairs: readonly number[], form: Form, atLeast: number): number => {
  const all = pairs.length + form.characters + 1;
  const most = 2 * Math.min(pairs.length, form.characters + 1);
  if (most < all * minSimilarity || most <= all * atLeast) return 0;
  let common = 0;
  for (const pair of pairs) if (form.pairs.has(pair)) common++;
  const share = (2 * Math.min(common, form.characters + 1)) / all;
  return share < minSimilarity ? 0 : share;
};

/** One more than there are characters: the beginning and the end count. */
const pairsOf = (term: string): number[] => {
  const pairs: number[] = [];
  let before = 0;
  for (let at = 0; at < term.length; at++) {
    const unit = term.charCodeAt(at);
    pairs.push(before * 65_536 + unit);
    before = unit;
  }
  pairs.push(before * 65_536);
  return pairs;
};

/**
 * Finds how much of a word in a script without spaces a snippet has in one piece, as a part of its pairs of characters; 0 for
 * less than half.
 */
type RunFinder = (word: string) => number;

/** Longer words are names or whole clauses, of which the beginning says enough. */
const maxCharacters = 12;

/**
 * Pairs of characters that a snippet has here and there are not the word: in an alphabet most pairs of letters are in any
 * long text.
 * @returns the finder of a snippet; what is known of a word is kept for the next snippet
 */
export const createRunFinders = (): ((snippet: TextFields) => RunFinder) => {
  const runsOf = new Map<string, readonly Run[]>();
  return ({ terms, headingTerms, titleTerms }) => {
    const written = ` ${terms} | ${headingTerms} | ${titleTerms} `;
    const known = new Map<string, number>();
    return (word) => {
      const found = known.get(word);
      if (found !== undefined) return found;
      const runs = runsOf.get(word) ?? longestFirst(word);
      runsOf.set(word, runs);
      const share = runs.find(({ terms: run }) => written.includes(run))?.share ?? 0;
      known.set(word, share);
      return share;
    };
  };
};

interface Run {
  /** As they stand in a document: with the ideographs by themselves, and spaces around. */
  terms: string;
  /** The part of the word's pairs. */
  share: number;
}

const longestFirst = (word: string): Run[] => {
  const characters = Array.from(normalForm(word, "NFKC")).slice(0, maxCharacters);
  const pairs = characters.length - 1;
  if (pairs < 1) return [{ terms: ` ${word} `, share: 1 }];
  const ideographs = characters.map((character) => denseTerms(character + character, { singles: true }).length > 1);
  const runs: Run[] = [];
  for (let length = characters.length; length - 1 >= pairs / 2; length--)
    for (let start = 0; start + length <= characters.length; start++) {
      let terms = " ";
      for (let at = start; at < start + length; at++) {
        if (ideographs[at] === true) terms += `${characters[at]} `;
        if (at + 1 < start + length) terms += `${characters[at]}${characters[at + 1]} `;
      }
      runs.push({ terms, share: (length - 1) / pairs });
    }
  return runs;
};

/** A unit of which less is found is not found: pairs of characters occur in other words too. */
const minUnitCredit = 0.5;

interface RareUnit {
  members: readonly number[];
  written: string | null;
  rarity: number;
}

/** The rarity of the units that a snippet has, in part of those that it has in part. @param credits of each word */
export const creditOf = (units: readonly RareUnit[], credits: readonly number[], runs: RunFinder): number =>
  sumOf(units.map((unit) => unit.rarity * unitCredit(unit, credits, runs)));

const unitCredit = ({ members, written }: RareUnit, credits: readonly number[], runs: RunFinder): number => {
  const credit = sumOf(members.map((member) => credits[member] ?? 0)) / members.length;
  if (members.length === 1) return credit;
  if (credit < minUnitCredit) return 0;
  const run = written === null ? credit : runs(written);
  return run >= minUnitCredit ? run : 0;
};

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
