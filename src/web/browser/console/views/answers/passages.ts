import type { Snippet, SourceDocument, SourceSnippet } from "../../../shared/api.ts";
import type { Range } from "../../../shared/passage-markdown.ts";

/** A passage that an answer is made from. */
export interface Passage {
  id: string;
  /** Null if the document is gone. */
  documentId: string | null;
  /** Empty if the document is gone. */
  text: string;
  page: number | null;
  headings: readonly string[];
  /** Names of the columns of a table that it begins in the middle of. */
  columns: readonly string[];
  /** Characters of the document's text. */
  start: number;
  end: number;
}

type Metadata = Snippet["metadata"] | SourceSnippet["metadata"] | SourceDocument["metadata"];

export const toPassage = ({ metadata }: { metadata: Metadata }): Passage => ({
  id: metadata.id ?? "", // null to visitors alone, who have no console
  documentId: "deleted" in metadata && metadata.deleted ? null : metadata.documentUploadId,
  text: metadata.content ?? "",
  page: metadata.page,
  headings: metadata.headings,
  columns: metadata.columns ?? [],
  start: metadata.start,
  end: metadata.end,
});

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });
const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** How far before its mark a statement may begin. */
const maxStatementCharacters = 600;
/** A sentence must share this part of its words with the statement, or it is not the one that is meant. */
const minShared = 0.34;

const mark = /\[(\d{1,3})\]/g;

/**
 * What an answer says before each mark of a source: the sentences of its line since the mark before it, which the source is
 * to bear out.
 */
export const statementsOf = (answer: string, source: number): string[] =>
  [...answer.matchAll(mark)]
    .filter(([, number]) => Number(number) === source)
    .flatMap(({ index }) => sentencesBefore(answer.slice(Math.max(0, index - maxStatementCharacters), index)));

const sentencesBefore = (text: string): string[] => {
  let rest = text.trimEnd();
  // Marks stand in rows: "[1][2]".
  for (let found = /\[\d{1,3}\]$/.exec(rest); found !== null; found = /\[\d{1,3}\]$/.exec(rest))
    rest = rest.slice(0, found.index).trimEnd();
  const line = rest.slice(rest.lastIndexOf("\n") + 1);
  const sinceMark = line.split(mark).at(-1) ?? "";
  return [...sentences.segment(sinceMark)]
    .map(({ segment }) => segment.trim())
    .filter((said) => wordsOf(said).size > 0);
};

/** Marks of footnotes, as long and blank: a sentence would end within them. */
const withoutFootnotes = (text: string): string =>
  text.replace(/\[\^[\w-]{1,32}\]/g, (footnote) => " ".repeat(footnote.length));

const wordsOf = (text: string): Set<string> =>
  new Set([...words.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment.toLowerCase()));

/**
 * The sentences of a passage that statements of an answer are taken from: for each statement the one that shares the most
 * words with it, in the order of the passage. None where no sentence shares enough.
 */
export const citedSentences = (passage: string, statements: readonly string[]): Range[] => {
  const candidates = [...sentences.segment(withoutFootnotes(passage))]
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

/**
 * Where the shown part of a passage begins: at a sentence not far before its first cited one, so that no sign of Markdown
 * is parted from its other half; without such a sentence at a word.
 */
export const beginOfExcerpt = (text: string, [first]: readonly Range[]): number => {
  if (first === undefined || first.start <= maxLeadCharacters) return 0;
  const lead = first.start - maxLeadCharacters;
  const before = withoutFootnotes(text.slice(0, first.start));
  const sentence = [...sentences.segment(before)].find(({ index }) => index >= lead);
  if (sentence !== undefined) return trimmed(sentence.segment, sentence.index).start;
  const from = first.start - leadCharacters;
  const space = text.slice(from, first.start).search(/\s/);
  return space < 0 ? first.start : from + space + 1;
};
