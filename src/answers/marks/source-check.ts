import { analyze, analyzeQuery, formsByWord } from "../../text/analysis/analyze.ts";
import { fold } from "../../text/language/fold.ts";
import { digitsOf, missingNumbers, numbersOf } from "./numbers.ts";
import { languageOf, mayBeSameLanguage, type TextLanguage } from "./text-language.ts";

/**
 * A mark is unsupported if twice the part of the statement's words that its source contains, less the part that the
 * best other source contains, is below this: the source contains few of the words, or another one many more. Measured
 * (bench/quality/citations.ts): on prose 88 to 99 % of wrong marks are below it, and at most .3 % of right ones.
 */
const minSupport = 0.2;
/**
 * A wrong mark is moved to a source with at least this support by the same measure: 99.4 to 100 % are the right one.
 */
const minSupportToMove = 1.2;
/** A statement with fewer words that the search would use can be put in entirely different words. */
const minWords = 3;
/** A source with at least this part of a statement's words clearly supports it, whatever others have. */
const minHeldToMark = 0.8;
/** Of a short answer's question, which it is understood with. */
const minHeldOfQuestion = 0.5;

/** A snippet as the model was shown it: its text, with the name, headings and column names above it. */
export interface Source {
  text: string;
}

/** `unclear`: too few words to tell, or another language. */
export type Verdict = { is: "supported" } | { is: "unclear" } | { is: "unsupported"; moveTo: number | null };

export interface SourceCheck {
  /**
   * Whether the sources that a statement names support it, by its words.
   * @param named indexes of the sources, all of one group of marks: `[1][3]` are a statement's sources together
   * @returns in the order of `named`; `moveTo` is the index of a source that clearly supports the statement
   */
  judge(statement: string, named: readonly number[]): Verdict[];
  /** The numbers of the statement that none of the named sources contains, as written. */
  missingNumbers(statement: string, named: readonly number[]): string[];
  /**
   * The source that clearly supports a statement: by nearly all of its words and all of its numbers; a short one word for word,
   * where the source has what the question is about. Null where there is none.
   */
  supporterOf(statement: string): number | null;
  /** How many words of a text the search would use, and how many of these some source contains. */
  wordsIn(text: string): { words: number; held: number };
  /**
   * False where the text is known to be in another language than every source: its words then say nothing. One too short to
   * tell is in that of the question.
   */
  mayBeInSourceLanguage(text: string): boolean;
}

interface ReadSource {
  /** For phrases: letters and digits alone, each word between single spaces. */
  plain: string;
  terms: ReadonlySet<string>;
  digits: ReadonlySet<string>;
  language: TextLanguage;
}

/**
 * Checks statements against their sources. A source is analyzed when it is first needed.
 * @param question what a short answer is understood with; its words count as held where an answer repeats them
 */
export const createSourceCheck = (sources: readonly Source[], question = ""): SourceCheck => {
  const asked = formsOfWords(question);
  const askedTerms = new Set(asked.flat());
  const read: (ReadSource | undefined)[] = [];
  const sourceAt = (index: number): ReadSource => {
    const text = sources[index]?.text ?? "";
    read[index] ??= {
      plain: plainOf(text),
      terms: new Set(analyze(text)),
      digits: digitsOf(text),
      language: languageOf(text),
    };
    return read[index];
  };

  /** The part of the words that each source contains. */
  const coverages = (words: readonly (readonly string[])[]): number[] =>
    sources.map((_, index) => {
      const { terms } = sourceAt(index);
      return words.filter((forms) => forms.some((form) => terms.has(form))).length / words.length;
    });

  const isHeldBy = (index: number, forms: readonly string[]): boolean =>
    forms.some((form) => sourceAt(index).terms.has(form));
  const hasNumbers = (index: number, statement: string): boolean =>
    numbersOf(statement).every(({ digits, parts }) => {
      const { digits: held } = sourceAt(index);
      return held.has(digits) || parts.every((part) => held.has(part));
    });
  const largestAt = (values: readonly number[]): number => values.indexOf(Math.max(...values));

  /** A few words are a statement only together with the question. */
  const shortSupporter = (statement: string): number | null => {
    const phrase = plainOf(statement);
    if (phrase.trim() === "" || asked.length === 0) return null;
    const held = sources.map((_, index) => {
      if (!sourceAt(index).plain.includes(phrase)) return 0;
      return asked.filter((forms) => isHeldBy(index, forms)).length / asked.length;
    });
    const best = largestAt(held);
    return (held[best] ?? 0) >= minHeldOfQuestion ? best : null;
  };

  return {
    supporterOf(statement) {
      if (sources.length === 0) return null;
      const words = formsOfWords(statement);
      if (words.length === 0) return null;
      if (words.length < minWords) return shortSupporter(statement);
      const held = coverages(words).map((part, index) => (hasNumbers(index, statement) ? part : 0));
      const best = largestAt(held);
      const most = held[best] ?? 0;
      const beside = Math.max(0, ...held.filter((_, index) => index !== best));
      return most >= minHeldToMark || 2 * most - beside >= minSupportToMove ? best : null;
    },
    wordsIn(text) {
      const words = formsOfWords(text);
      const held = words.filter((forms) => sources.some((_, index) => isHeldBy(index, forms)));
      const repeated = words.filter((forms) => !held.includes(forms) && forms.some((form) => askedTerms.has(form)));
      return { words: words.length - repeated.length, held: held.length };
    },
    mayBeInSourceLanguage(text) {
      const own = languageOf(text);
      const language = isUnknown(own) ? languageOf(question) : own;
      // Many a snippet is too short to tell.
      const ofAll = languageOf(sources.map((source) => source.text.slice(0, 2_000)).join("\n"));
      return sources.some((_, index) => {
        const { language: ofSource } = sourceAt(index);
        return mayBeSameLanguage(language, isUnknown(ofSource) ? ofAll : ofSource);
      });
    },
    judge(statement, named) {
      const words = formsOfWords(statement);
      if (words.length < minWords) return named.map(() => ({ is: "unclear" }));
      const held = coverages(words);
      const bestBeside = (one: number): number =>
        Math.max(0, ...held.filter((_, index) => index !== one && !named.includes(index)));
      const support = (index: number): number => 2 * (held[index] ?? 0) - bestBeside(index);
      const best = held.indexOf(Math.max(...held));
      const moveTo = !named.includes(best) && support(best) >= minSupportToMove ? best : null;
      return named.map((index) => {
        if (support(index) >= minSupport) return { is: "supported" };
        if (!mayBeSameLanguage(languageOf(statement), sourceAt(index).language)) return { is: "unclear" };
        return { is: "unsupported", moveTo };
      });
    },
    missingNumbers: (statement, named) =>
      missingNumbers(
        statement,
        named.map((index) => sourceAt(index).digits),
      ),
  };
};

const isUnknown = ({ script, latin }: TextLanguage): boolean => script <= 0 && latin.length === 0;

const plainOf = (text: string): string => ` ${(fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join(" ")} `;

const formsOfWords = (text: string): string[][] => formsByWord(analyzeQuery(text).terms);
