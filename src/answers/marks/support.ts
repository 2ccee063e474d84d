import { isNoAnswer } from "../wording/no-answer.ts";
import { isData } from "./added-marks.ts";
import { withoutMarks } from "./citation-filter.ts";
import type { SourceCheck } from "./source-check.ts";

/** How far the sources support an answer. */
export type Support = "supported" | "partly" | "unsupported";

export interface JudgedSupport {
  /** Null: the sources cannot tell, as of code, or of words in another language. */
  support: Support | null;
  /** Little of the answer is supported, or it has numbers that no source has: quotations must follow. */
  isDoubtful: boolean;
  /** Numbers that neither a source nor the question has, as written. */
  numbers: string[];
}

/**
 * An answer of whose words the sources hold less than this part is not theirs. By words and numbers quotations follow 98 to 99 %
 * of wrong answers, and 0 to 5.5 % of right ones: none that are word for word, 5.5 % of those of which half of the words are left
 * out or replaced (bench/quality/README.md, "Support of a model's answer").
 */
const minHeld = 0.6;
/** A statement of which they hold less is not theirs, though the others of the answer may be. */
const minHeldOfStatement = 0.4;
/** One word says too little to judge by. */
const minWords = 2;
const minWordsOfStatement = 4;

const heading = /^\s*#{1,6}\s/;

/** The answer without fenced code, up to the end where it is not closed. */
const withoutFenced = (answer: string): string => {
  let fence: string | null = null;
  const kept: string[] = [];
  for (const line of answer.split("\n")) {
    const [mark] = /^(?:`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== null && mark?.startsWith(fence) === true) fence = null;
    else if (fence === null && mark !== undefined) fence = mark;
    else if (fence === null) kept.push(line);
  }
  return kept.join("\n");
};

export interface AnswerFacts {
  /** What it answers: its numbers and words may be said again. */
  question: string;
  /** The day that the model was told. */
  today: string;
  /** How many sources it was shown; with none, nothing is claimed of them. */
  sources: number;
  /** The answer repeated itself. */
  isStopped: boolean;
}

export const judgeSupport = (
  answer: string,
  check: SourceCheck,
  { question, today, sources, isStopped }: AnswerFacts,
): JudgedSupport => {
  const prose = withoutMarks(withoutFenced(answer)).trim();
  const lines = prose.split("\n").filter((line) => line.trim() !== "" && !heading.test(line));
  if (sources === 0) return told(null);
  if (isStopped || answer.trim() === "") return { support: "unsupported", isDoubtful: true, numbers: [] };
  if (lines.length === 0 || isNoAnswer(prose)) return told(null);
  const all = [...Array(sources).keys()];
  const known = new Set(check.missingNumbers(`${question}\n${today}`, all));
  const missing = lines.map((line) => check.missingNumbers(line, all).filter((number) => !known.has(number)));
  const numbers = [...new Set(missing.flat())];
  const isDoubtful = (is: boolean): boolean => is && !isData(answer);
  const hasNumber = /\p{Nd}/u.test(prose);
  if (!check.mayBeInSourceLanguage(prose)) {
    const support = numbers.length > 0 ? "partly" : hasNumber ? "supported" : null;
    return { support, isDoubtful: isDoubtful(numbers.length > 0), numbers };
  }
  const counts = lines.map((line) => check.wordsIn(line));
  const words = counts.reduce((sum, count) => sum + count.words, 0);
  const held = counts.reduce((sum, count) => sum + count.held, 0);
  if (words < minWords && numbers.length === 0) return told(held > 0 ? "supported" : null);
  if (words > 0 && held / words < minHeld) return { support: "unsupported", isDoubtful: isDoubtful(true), numbers };
  if (numbers.length > 0) {
    const isAll = lines.every((_, at) => (missing[at] ?? []).length > 0);
    return { support: isAll ? "unsupported" : "partly", isDoubtful: isDoubtful(true), numbers };
  }
  const isPartly = counts.some(
    (count) => count.words >= minWordsOfStatement && count.held / count.words < minHeldOfStatement,
  );
  return told(isPartly ? "partly" : "supported");
};

const told = (support: Support | null): JudgedSupport => ({ support, isDoubtful: false, numbers: [] });
