import { analyze, analyzeQuery } from "../../text/analysis/analyze.ts";
import { digitsOf, missingNumbers } from "./numbers.ts";
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
}

interface ReadSource {
  terms: ReadonlySet<string>;
  digits: ReadonlySet<string>;
  language: TextLanguage;
}

/** Checks statements against their sources. A source is analyzed when it is first needed. */
export const createSourceCheck = (sources: readonly Source[]): SourceCheck => {
  const read: (ReadSource | undefined)[] = [];
  const sourceAt = (index: number): ReadSource => {
    const text = sources[index]?.text ?? "";
    read[index] ??= { terms: new Set(analyze(text)), digits: digitsOf(text), language: languageOf(text) };
    return read[index];
  };

  /** The part of the words that each source contains. */
  const coverages = (words: readonly (readonly string[])[]): number[] =>
    sources.map((_, index) => {
      const { terms } = sourceAt(index);
      return words.filter((forms) => forms.some((form) => terms.has(form))).length / words.length;
    });

  return {
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

const formsOfWords = (text: string): string[][] => {
  const forms = new Map<number, string[]>();
  for (const { term, word } of analyzeQuery(text).terms) forms.set(word, [...(forms.get(word) ?? []), term]);
  return [...forms.values()];
};
