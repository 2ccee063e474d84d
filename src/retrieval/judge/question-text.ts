import { type ScannedText, scanText } from "../../text/analysis/document-terms.ts";
import { piecesOf } from "../../text/analysis/word-pieces.ts";
import { fold, unspacedRun } from "../../text/language/fold.ts";
import { markedForm } from "../../text/language/vietnamese.ts";

/** A text of a question with its words and languages, which several features look at. */
export interface QuestionText extends ScannedText {
  text: string;
}

export const scanQuestion = (text: string): QuestionText => ({ text, ...scanText(text) });

const wordOrStop = /[\p{L}\p{M}\p{N}_]+(?:[-.'’:/#][\p{L}\p{M}\p{N}_]+)*|[.?!:;¿¡。？！]/gu;
const word = /[\p{L}\p{M}\p{N}_]+/gu;
/** Letters with digits behind them (`E99`, `PX-400`), or four digits and more: a code, a model, a year. Not `5pm`, `10`. */
const code = /^\p{L}{1,6}[-_]?\p{N}|\p{N}{4}/u;
const camelCase = /\p{Ll}\p{Lu}|\p{L}_\p{L}/u;
const isStop = (token: string): boolean => /^[.?!:;¿¡。？！]$/u.test(token);
const startsWithCapital = /^\p{Lu}/u;
const number = /^\p{N}[\p{N}.,:/-]*$/u;
const identifier = /\p{Ll}\p{Lu}|_|\p{L}[.:/#]+\p{L}|\p{L}\p{N}|\p{N}\p{L}|\p{Lu}{2}/u;
/** Words written as code: in backticks, or called without arguments ("an employee(s)" is none). */
const writtenAsCode = /`([^`\n]{1,80})`|(?<![\p{L}\p{M}\p{N}_])([\p{L}\p{M}\p{N}_]{1,80})\(\)/gu;

/** If so many of the words have a capital, and there are so many, capitals are the style of the writer. */
const maxCapitalShare = 0.7;
const minWordsOfStyle = 4;

/**
 * Terms of the words that people do not replace by others: names (a capital within a sentence), numbers and identifiers.
 * A question with other words than its answer still has these; one about something else has others. In German every noun
 * has a capital, and a script may have none: there numbers and identifiers are left.
 */
export const firmTerms = (texts: readonly QuestionText[]): ReadonlySet<string> => {
  const terms = new Set<string>();
  for (const text of texts) for (const word of firmWords(text)) addTerms(terms, word);
  return terms;
};

/** Whether a question names something in a program. */
export const namesCode = ({ text }: QuestionText): boolean => codeWords(text).length > 0 || camelCase.test(text);

/**
 * Whether a term is a code, a model or a year that no document has, whole or in pieces (`PX 400`). Other documents have
 * others of the kind, and all the rest of the question.
 * @param isKnown whether a document has a term
 */
export const isMissingCode = (term: string, isKnown: (term: string) => boolean): boolean =>
  code.test(term) &&
  !isKnown(term) &&
  term.split(/[^\p{L}\p{N}]+/u).some((piece) => /\p{N}/u.test(piece) && !isKnown(piece));

const codeWords = (text: string): string[] =>
  [...text.matchAll(writtenAsCode)].flatMap(([, quoted, called]) => (quoted ?? called ?? "").match(word) ?? []);

const addTerms = (terms: Set<string>, word: string): void => {
  for (const { text } of piecesOf(word)) {
    terms.add(fold(text));
    terms.add(markedForm(text));
  }
};

const firmWords = ({ text, languages }: QuestionText): string[] => {
  const names: string[] = [];
  const others: string[] = [];
  let isStart = true;
  let words = 0;
  for (const [token] of text.replace(unspacedRun, " ").matchAll(wordOrStop)) {
    if (isStop(token)) {
      isStart = true;
      continue;
    }
    if (number.test(token) || identifier.test(token)) others.push(token);
    else if (!isStart) {
      words++;
      if (startsWithCapital.test(token)) names.push(token);
    }
    isStart = false;
  }
  const isStyle = words >= minWordsOfStyle && names.length > maxCapitalShare * words;
  const certain = [...others, ...codeWords(text)];
  return isStyle || languages.includes("german") ? certain : [...certain, ...names];
};
