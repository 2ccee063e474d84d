import { analyzeQuery } from "../../text/analysis/analyze.ts";
import { normalForm } from "../../text/clean-text.ts";
import { withoutMarks } from "../marks/citation-filter.ts";
import type { EarlierTurn } from "./rewrite-prompt.ts";

/** Characters that rewriting may add to the question. */
const maxAddedCharacters = 400;
/** Part of its words that must occur in the conversation, which is where added words come from. */
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
 * Reads the rewritten question in a model's output, without label and quotation marks. Output that cannot be one is
 * rejected: a small model may answer the question instead, repeat its last answer or write something else, and a search
 * for that finds worse than a search for the question as asked.
 * @returns the question, or why the output is not one
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
    return { fault: "it wrote about something else" };
  return { question };
};

/** The first line that is not empty, or the second if the first only introduces it (`Rewritten question:`). */
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
      // `"one" and "two"` is not one quoted text.
      if (isWrapped && !query.trim().startsWith(open) && !inside.includes(open)) text = inside.trim();
    }
  }
  return text;
};

const folded = (text: string): string =>
  normalForm(withoutMarks(text), "NFKC")
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, " ")
    .trim();

/** Part of the text's words that occur in the others, 0 to 1, compared by their search terms. */
const knownShare = (text: string, others: readonly string[]): number => {
  const known = new Set(others.flatMap((other) => analyzeQuery(other).terms.map(({ term }) => term)));
  const words = new Map<number, boolean>();
  for (const { term, word } of analyzeQuery(text).terms) words.set(word, words.get(word) || known.has(term));
  return words.size === 0 ? 0 : [...words.values()].filter(Boolean).length / words.size;
};

/** Whether both are the same apart from case, white space and punctuation. */
export const isSameQuestion = (one: string, other: string): boolean => folded(one) === folded(other);
