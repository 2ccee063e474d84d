import { type Block, blocksOf, headRows } from "../../text/chunk/blocks.ts";
import { areSeparated, unitsOf } from "../../text/chunk/units.ts";
import { endsWithStop } from "../../text/sentences.ts";
import { cellsOf } from "./cells.ts";

/** A sentence, list item, table row or line of code of a snippet. */
export interface Passage {
  text: string;
  start: number;
  kind: "sentence" | "item" | "row" | "heading" | "code";
  /** Ends in a colon: introduces a list or table. */
  introducesList: boolean;
  /** Titles that it stands under in the snippet, outermost first. */
  headings: readonly string[];
  /** What it cannot be read without: the line that introduces its list, the head of its table. */
  intro: string | null;
  /** The question that it follows, as in lists of questions and answers. */
  question: string | null;
  /** It says nothing by itself: a question, the head of a table. */
  isAsking: boolean;
  /** Passages of one list, table or paragraph share a number. */
  block: number;
}

/** Limits for hostile input: a snippet is about a thousand characters. */
const maxCharacters = 20_000;
const maxPassages = 400;
/** Sentences after a question that answer it, at most. */
const maxAnswerSentences = 4;

/** Ends a question; in Greek a semicolon does. With a colon before ("notice anomalies: what seems strange?") it states something. */
const questionEnd = /[?？؟]["»”’)*_]*$|\p{Script=Greek}[;\u037e]$/u;

/** Who says a line of a chat, and when: `[03.07.26, 18:02] Lena: `, `Omar: `. */
const speaker =
  /^(?:\[?[\d./:, -]{4,24}(?:[ap]m)?\]?[ ,-]{1,3})?\p{Lu}[\p{L}\p{M}.'-]{0,30}(?: \p{Lu}[\p{L}\p{M}.'-]{0,30}){0,2}: /u;

/** The parts of a snippet that can be quoted, in order: whole list items and table rows, and sentences. */
export const passagesOf = (snippet: string): Passage[] => {
  const text = withoutComments(withoutFrontMatter(snippet.slice(0, maxCharacters)));
  const found: Pick<Passage, "text" | "start" | "kind" | "headings">[] = [];
  const add = (start: number, end: number, kind: Passage["kind"], headings: readonly string[]): void => {
    const piece = text.slice(start, end);
    if (/[\p{L}\p{N}]/u.test(piece) && !/^(?:`{3,}|~{3,})[^`~]*$/.test(piece))
      found.push({ text: piece, start, kind, headings });
  };
  const blocks = [...blocksOf(text)];
  const units = [...unitsOf(text)];
  const items = blocks.filter(({ kind }) => kind === "item").flatMap((block) => itemRanges(block, units));
  const separated = blocks.filter((block) => isOfValues(text, block)).map(rangeOf);
  const rows = [...blocks.filter(({ kind }) => kind === "table").map(rangeOf), ...separated];
  const headings = blocks.filter(({ kind }) => kind === "heading").map(rangeOf);
  const added = new Set<Range>();
  for (const unit of units) {
    const item = items.find(holds(unit.start));
    if (item !== undefined) {
      if (!added.has(item))
        add(trimStart(text, item.start, item.end), trimEnd(text, item.start, item.end), item.kind, unit.headings);
      added.add(item);
      continue;
    }
    const isCode = unit.kind === "fence";
    const kind = isCode
      ? "code"
      : rows.some(holds(unit.start))
        ? "row"
        : headings.some(holds(unit.start))
          ? "heading"
          : "sentence";
    if (unit.start < unit.end) add(unit.start, unit.end, kind, unit.headings);
    if (found.length >= maxPassages) break;
  }
  return inContext(
    found.sort((a, b) => a.start - b.start),
    [
      ...blocks.filter((block) => isHeadedTable(text, block)).map(rangeOf),
      ...separated.filter(({ start }) => isHeadOfValues(text, start)),
    ],
    runsOf(blocks),
  );
};

/** Settings of a Markdown file between lines of dashes say nothing that is read: as long, and blank. */
const withoutFrontMatter = (text: string): string =>
  text.replace(/^---\r?\n(?:[^\n]{0,400}\n){1,60}?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/, (matter) =>
    " ".repeat(matter.length),
  );

/** Comments of Markdown that begin a line, which no reader of the page sees: as long, and blank. */
const withoutComments = (text: string): string => {
  let seen = text;
  for (let at = text.indexOf("<!--"); at >= 0; at = text.indexOf("<!--", at + 4)) {
    const end = text.indexOf("-->", at);
    if (end < 0) break;
    const isOfLine = at === 0 || text[at - 1] === "\n";
    if (isOfLine) seen = seen.slice(0, at) + " ".repeat(end + 3 - at) + seen.slice(end + 3);
  }
  return seen;
};

/** So many characters of a list item are read as a whole. */
const maxItemCharacters = 240;

/**
 * What of a list item is read as one passage: of a short one all; of "3. How to take it" over lines that are not set in below
 * it, that heading, and each line in which no sentence begins or goes on that is of another.
 */
const itemRanges = ({ lines }: Block, units: readonly Range[]): (Range & Pick<Passage, "kind">)[] => {
  const whole = rangeOf({ lines });
  const outside = lines.findIndex((line, at) => at > 0 && line.indent === line.start);
  if (whole.end - whole.start <= maxItemCharacters || outside < 0) return [{ ...whole, kind: "item" }];
  const own = rangeOf({ lines: lines.slice(0, outside) });
  const isSplit = ({ start, end }: Range): boolean =>
    units.some((unit) => (unit.start < end && unit.end > end) || (unit.start < start && unit.end > start));
  return [own, ...lines.slice(outside)]
    .filter((range) => range.end - range.start <= maxItemCharacters && !isSplit(range))
    .map(({ start, end }) => ({ start, end, kind: "sentence" }));
};

/** Where lists, tables and paragraphs begin: the items of a list that follow each other are one. */
const runsOf = (blocks: readonly Block[]): number[] => {
  const starts: number[] = [];
  let last: Block["kind"] | null = null;
  for (const block of blocks) {
    if (!(block.kind === "item" && last === "item")) starts.push(rangeOf(block).start);
    last = block.kind;
  }
  return starts;
};

/** The passages with what stands before them: a question, the line that introduces a list, the head of a table. */
const inContext = (
  found: readonly Pick<Passage, "text" | "start" | "kind" | "headings">[],
  tables: readonly Range[],
  runs: readonly number[],
): Passage[] => {
  let lead: string | null = null;
  /** The line over lines with labels, and its paragraph. */
  let [over, led]: [string | null, number] = [null, -1];
  let question: string | null = null;
  let answered = 0;
  let table: Range | undefined;
  let head: string | null = null;
  const blockOf = (start: number): number => runs.findLastIndex((from) => from <= start);
  return found.map((passage, at) => {
    const { text, start, kind } = passage;
    const introducesList = /[:：]$/u.test(text);
    const isQuestion =
      kind !== "row" && kind !== "item" && questionEnd.test(text) && !/[:：]\s/u.test(text.replace(speaker, ""));
    const own = kind === "row" ? tables.find(holds(start)) : undefined;
    const isHead = own !== undefined && own !== table;
    if (isHead) head = text;
    table = own;
    const block = blockOf(start);
    const isLabelled = kind === "sentence" && label.test(text) && led === block;
    if (kind !== "item" && !isLabelled) lead = introducesList ? text : null;
    const next = found[at + 1];
    // "Light of the ring" over "red: no connection".
    if (kind === "sentence" && !label.test(text) && !endsWithStop(text, text.length) && next !== undefined) {
      if (blockOf(next.start) === block && label.test(next.text)) [over, led] = [text, block];
    }
    if (kind === "heading" || isQuestion) [question, answered] = [null, 0];
    const intro = kind === "item" ? lead : isLabelled ? over : own !== undefined && !isHead ? head : null;
    const after = answered < maxAnswerSentences ? question : null;
    if (isQuestion) question = text;
    else answered++;
    return {
      ...passage,
      block,
      introducesList,
      intro,
      question: isQuestion ? null : after,
      isAsking: isQuestion || isHead,
    };
  });
};

/** A line that begins with what it is of. */
const label = /^[^:：.!?\n]{1,40}[:：]\s/u;

/** Whether a line of dashes parts the head of a table from its rows: else its first row may be one as the others. */
const isHeadedTable = (text: string, { kind, lines, isContinuation }: Block): boolean =>
  kind === "table" && !isContinuation && headRows(text, lines) === 2;

/** Lines of csv that came as text, at least. */
const minLinesOfValues = 3;

const isOfValues = (text: string, { kind, lines }: Block): boolean =>
  kind !== "table" && kind !== "fence" && lines.length >= minLinesOfValues && areSeparated(text, lines);

/** A head names columns: no cell of it is a number. */
const isHeadOfValues = (text: string, start: number): boolean =>
  cellsOf(text.slice(start, start + 4_000).split("\n", 1)[0] ?? "").every((cell) => /\p{L}/u.test(cell));

interface Range {
  start: number;
  end: number;
}

const rangeOf = (block: { lines: readonly Range[] }): Range => ({
  start: block.lines[0]?.start ?? 0,
  end: block.lines.at(-1)?.end ?? 0,
});

const holds =
  (at: number) =>
  ({ start, end }: Range): boolean =>
    start <= at && at < end;

const trimStart = (text: string, start: number, end: number): number => end - text.slice(start, end).trimStart().length;

const trimEnd = (text: string, start: number, end: number): number => start + text.slice(start, end).trimEnd().length;
