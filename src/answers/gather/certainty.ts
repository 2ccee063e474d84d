import type { Certainty, Retrieval } from "../../retrieval/contract.ts";
import { isYear } from "../../retrieval/scores/document-names.ts";
import { analyzeQuery } from "../../text/analysis/analyze.ts";
import { exactPassages } from "../../text/analysis/exact-passages.ts";
import { namesMonth } from "../../text/dates.ts";
import type { PassageScore } from "../quote/passage-scores.ts";

/**
 * Whether the documents hold the answer, by two witnesses: the gate, which judges all that was found, and the passage that
 * would be quoted, which must have most of what is asked and the kind of thing that is asked for. Either alone is fooled: a
 * question about something near shares its words with many snippets, and a passage may share all but the one word that
 * matters. The weights were fitted on XQuAD in four languages, on code and on everyday asks
 * (bench/quality/README.md, "Certainty").
 */
const weights = { gate: 0.5, support: 4.5 };
/** At this sum an answer is told as sure, at a wish of 0.5; a wish of 1 asks for so much more. */
const sureFrom = 2.85;
const sureRange = 3.5;
/** Below this measure of the gate nothing is near, at a wish of 0.5. */
const noneBelow = 0.03;

/** The part of what is asked that a passage has which is shown though little of its words is found. */
const enoughSupport = 0.8;

export interface Witness {
  /** How well the passage answers that would be quoted; null where there is none. */
  best: PassageScore | null;
  question: string;
  /** What the passage stands in: its snippet, headings and document. */
  source: string;
}

/**
 * @param refusedAbove what the gate says, 0 to 1: a question with an answer has less than 0.5 in one of twenty cases
 * @param wish `answers.refusalThreshold`
 * @param witnesses one for each question of the ask: one that is answered is enough
 */
export const certaintyOf = (
  { refusedAbove }: Pick<Retrieval, "refusedAbove">,
  wish: number,
  witnesses: readonly Witness[],
): Certainty => {
  if (wish <= 0) return "sure";
  const isSure = witnesses.some(
    ({ best, question, source }) =>
      best?.hasAnswer === true &&
      best.isOfThing &&
      holdsCodes(question, source) &&
      holdsNumbers(question, source) &&
      weights.gate * logit(refusedAbove) + weights.support * best.support >= sureFrom + sureRange * (2 * wish - 1),
  );
  if (isSure) return "sure";
  // A phone number beside the one that is asked for: the word "phone" need not be there.
  const isNamed =
    wish <= 0.5 && witnesses.some(({ best }) => best?.isNamedKind === true && best.support >= enoughSupport);
  return refusedAbove < noneBorder(wish) && !isNamed ? "none" : "unsure";
};

/** Where nothing is near: at a wish of 1 all that is not sure. */
export const noneBorder = (wish: number): number =>
  wish <= 0.5 ? noneBelow * 2 * wish : noneBelow + (1 - noneBelow) * (2 * wish - 1);

/** A code or quoted words of the question that the source lacks: it speaks of another one. */
const holdsCodes = (question: string, source: string): boolean => {
  const written = plain(source);
  return exactPassages(question).every((code) => isYear(code) || written.includes(plain(code)));
};

/** A version, or a number that a word before it gives to one of several: "mossgrid 3.0", "flat 2", "§ 12". */
const numbered =
  /(?<![\p{L}\p{N}.,])([\p{L}]{3,30}|§) (?:no\.? |nr\.? |n° )?(\d{1,4}(?:\.\d{1,4}){0,3})(?![\p{L}\p{N}%€$£]|[.,:-]\d| \p{L})/giu;

/**
 * Whether the source has each number that the question gives to a thing, beside its word or at the beginning of a line, as the
 * number of a section or a row: else it speaks of another one.
 */
const holdsNumbers = (question: string, source: string): boolean => {
  const lower = source.toLowerCase();
  return [...question.slice(0, maxQuestion).matchAll(numbered)].every(([, word = "", number = ""]) => {
    if (isYear(number) || namesMonth(word) || analyzeQuery(word).isOfFunctionWords) return true;
    const stem = word.toLowerCase().slice(0, maxStem);
    return [...lower.matchAll(/\d{1,9}(?:\.\d{1,9}){0,3}/g)].some(({ 0: found, index }) => {
      const before = lower.slice(Math.max(0, index - maxBefore), index);
      const [last = ""] = /\p{L}{1,30}(?=(?: (?:no|nr|n))?[^\p{L}\p{N}]{0,3}$)|§ ?$/u.exec(before) ?? [];
      return found === number && (last.startsWith(stem) || /(?:^|\n|[.;] )[^\p{L}\p{N}\n]{0,12}$/u.test(before));
    });
  });
};
const maxQuestion = 1_000;
/** Letters of a word that its other forms begin with, and characters before a number in which its word stands. */
const maxStem = 5;
const maxBefore = 40;

const plain = (text: string): string => text.toLowerCase().replace(/[\s\-_./]+/g, "");

const logit = (share: number): number => {
  const bounded = Math.min(0.9999, Math.max(0.0001, share));
  return Math.log(bounded / (1 - bounded));
};
