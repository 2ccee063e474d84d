import { analyzeQuery } from "../../text/analysis/analyze.ts";
import { withoutMarks } from "../citations.ts";
import type { EarlierTurn } from "./rewrite-prompt.ts";

/** A rewritten question is longer than the question by no more than this, in characters. */
const maxAddedCharacters = 400;
/** Part of its words that the conversation must hold: what is put in is taken from there. */
const minKnownShare = 1 / 3;

const label = /^(?:(?:rewritten|standalone|self-contained|last) question|question|lastquestion)\s*[:：]\s*/i;
const wrappings: readonly [string, string][] = [
  ["```", "```"],
  ["**", "**"],
  ["`", "`"],
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
  ["「", "」"],
];

/**
 * What a model wrote as a rewritten question, without label and wrapping, if it can be one. A small model may answer
 * the question instead, repeat its last answer or say something of its own: searching for that would find the wrong
 * thing, where the question as asked finds the right one.
 * @returns the question, or why it is none
 */
export const readRewrittenQuestion = (
  written: string,
  query: string,
  history: readonly EarlierTurn[],
): { question: string } | { fault: string } => {
  const question = unwrap(firstLine(written), query);
  if (question === "") return { fault: "it wrote nothing" };
  if (question.length > query.length + maxAddedCharacters) return { fault: "it wrote far more than a question" };
  if (withoutMarks(question) !== question && withoutMarks(query) === query)
    return { fault: "it answered instead of rewriting" };
  const says = folded(question);
  if (history.some(({ role, text }) => role === "assistant" && folded(text).includes(says)))
    return { fault: "it repeated an earlier answer" };
  const lost = analyzeQuery(query).exact.find((passage) => !question.includes(passage));
  if (lost !== undefined) return { fault: `it left out "${lost}"` };
  if (knownShare(question, [query, ...history.map(({ text }) => text)]) < minKnownShare)
    return { fault: "it wrote of something else" };
  return { question };
};

/** The first line with something on it; the one after it where the first only announces it. */
const firstLine = (written: string): string => {
  const lines = written
    .split(/[\r\n]+/)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "" && !/^`{3}\w*$/.test(line));
  const [first = "", second] = lines;
  return /[:：]$/.test(first) && second !== undefined ? second : first;
};

const unwrap = (line: string, query: string): string => {
  let text = line;
  for (let before = ""; before !== text; ) {
    before = text;
    if (!label.test(query)) text = text.replace(label, "");
    for (const [open, close] of wrappings) {
      const isWrapped = text.length > open.length + close.length && text.startsWith(open) && text.endsWith(close);
      const inside = text.slice(open.length, text.length - close.length);
      // Two quoted passages side by side are no wrapping.
      if (isWrapped && !query.trim().startsWith(open) && !inside.includes(open)) text = inside.trim();
    }
  }
  return text;
};

const folded = (text: string): string =>
  withoutMarks(text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, " ")
    .trim();

/** Part of the text's words that stand in the others, 0 to 1, by the forms they are searched for in. */
const knownShare = (text: string, others: readonly string[]): number => {
  const known = new Set(others.flatMap((other) => analyzeQuery(other).terms.map(({ term }) => term)));
  const words = new Map<number, boolean>();
  for (const { term, word } of analyzeQuery(text).terms) words.set(word, words.get(word) || known.has(term));
  return words.size === 0 ? 0 : [...words.values()].filter(Boolean).length / words.size;
};

/** Whether both say the same but for case, white space and punctuation. */
export const isSameQuestion = (one: string, other: string): boolean => folded(one) === folded(other);
