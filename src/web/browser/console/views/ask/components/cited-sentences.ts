import type { Range } from "../../../../shared/passage-markdown.ts";

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** How far before its mark a statement may begin. */
const maxStatementCharacters = 600;
/** A sentence must share this part of its words with the statement, or it is not the one that is meant. */
const minShared = 0.34;

const mark = /\[(\d{1,3})\]/g;

/** What an answer says just before each mark of a source: the sentences that the source is to bear out. */
export const statementsOf = (answer: string, source: number): string[] =>
  [...answer.matchAll(mark)]
    .filter(([, number]) => Number(number) === source)
    .map(({ index }) => lastSentence(answer.slice(Math.max(0, index - maxStatementCharacters), index)))
    .filter((statement) => statement !== "");

const lastSentence = (text: string): string => {
  let rest = text.trimEnd();
  // Marks stand in rows: "[1][2]".
  for (let found = /\[\d{1,3}\]$/.exec(rest); found !== null; found = /\[\d{1,3}\]$/.exec(rest))
    rest = rest.slice(0, found.index).trimEnd();
  const all = [...sentences.segment(rest)];
  return (all.at(-1)?.segment ?? "").replace(mark, "").trim();
};

const wordsOf = (text: string): Set<string> =>
  new Set([...words.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment.toLowerCase()));

/**
 * The sentences of a passage that statements of an answer are taken from: for each statement the one that shares the most
 * words with it, in the order of the passage. None where no sentence shares enough.
 */
export const citedSentences = (passage: string, statements: readonly string[]): Range[] => {
  const candidates = [...sentences.segment(passage)]
    .map(({ segment, index }) => ({ ...trimmed(segment, index), words: wordsOf(segment) }))
    .filter(({ words }) => words.size > 0);
  const chosen = new Map<number, Range>();
  for (const statement of statements) {
    const said = wordsOf(statement);
    let best = { score: 0, range: null as Range | null };
    for (const { start, end, words } of candidates) {
      const shared = [...words].filter((word) => said.has(word)).length;
      const score = shared / Math.sqrt(words.size * Math.max(1, said.size));
      if (score > best.score) best = { score, range: { start, end } };
    }
    if (best.range !== null && best.score >= minShared) chosen.set(best.range.start, best.range);
  }
  return [...chosen.values()].sort((one, other) => one.start - other.start);
};

const trimmed = (segment: string, index: number): Range => {
  const start = index + segment.length - segment.trimStart().length;
  return { start, end: start + segment.trim().length };
};

/** Longer leads to the sentence that is meant are cut. */
const maxLeadCharacters = 160;
const leadCharacters = 80;

/** Where the shown part of a passage begins: not far before its first cited sentence, at the beginning of a word. */
export const beginOfExcerpt = (text: string, [first]: readonly Range[]): number => {
  if (first === undefined || first.start <= maxLeadCharacters) return 0;
  const from = first.start - leadCharacters;
  const space = text.slice(from, first.start).search(/\s/);
  return space < 0 ? first.start : from + space + 1;
};
