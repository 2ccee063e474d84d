import { monthNamed } from "../dates.ts";
import { endOfSentence } from "../sentences.ts";
import { type Block, type BlockKind, blocksOf, columnNames, headRows, type Line } from "./blocks.ts";

/** How good the beginning of a unit is as a place to cut; higher is better. */
export const Cut = {
  /** Only where nothing else fits: after a heading or a table's head, inside an over-long sentence. */
  worst: 0,
  sentence: 1,
  line: 2,
  item: 3,
  block: 4,
  subheading: 5,
  heading: 6,
} as const;

/** The smallest part, which is cut only if it is longer than a chunk: a sentence, a table row, a line of code. */
export interface Unit {
  /** Kind of the block it is a part of. */
  kind: BlockKind;
  start: number;
  end: number;
  cut: number;
  /** Heading path at its place; the same array for all units under one heading. */
  headings: readonly string[];
  /** For a table row after the head: the column names; else empty. */
  columns: string;
}

const maxHeadingDepth = 6;

/** The units of a text, in order. They cover everything but white space and do not overlap. */
export function* unitsOf(text: string): Generator<Unit, void, void> {
  let path: { level: number; title: string }[] = [];
  let headings: readonly string[] = [];
  let columns = "";
  let previous: Block | null = null;
  for (const block of blocksOf(text)) {
    const { kind } = block;
    if (block.kind === "heading") {
      path = [...path.filter(({ level }) => level < block.level), block].slice(0, maxHeadingDepth);
      headings = path.map(({ title }) => title);
    }
    if (block.kind !== "table" || !block.isContinuation) columns = "";
    const first = block.isContinuation ? Cut.line : cutBefore(text, block, previous);
    if (block.kind === "table") {
      const head = block.isContinuation ? 0 : headRows(text, block.lines);
      const names = block.isContinuation ? columns : columnNames(text, block.lines, head);
      for (const [index, line] of block.lines.entries()) {
        const cut = index === 0 ? first : index <= head ? Cut.worst : Cut.line;
        const later = block.isContinuation || index >= Math.max(head, 1);
        yield { kind, ...trimmed(text, line.start, line.end), cut, headings, columns: later ? names : "" };
      }
      columns = names;
    } else if (block.kind === "fence") {
      for (const [index, line] of block.lines.entries()) {
        if (line.indent === line.end) continue;
        const last = index === block.lines.length - 1 && index > 0;
        const cut =
          index === 0
            ? first
            : index === 1 || last
              ? Cut.worst
              : blankBefore(block.lines, index)
                ? Cut.line
                : Cut.sentence;
        yield { kind, ...trimmed(text, line.start, line.end), cut, headings, columns: "" };
      }
    } else yield* proseUnits(text, block, first, headings);
    previous = block;
  }
}

const cutBefore = (text: string, block: Block, previous: Block | null): number => {
  // A heading is not left behind alone at the end of a chunk.
  if (previous?.kind === "heading") return Cut.worst;
  if (block.kind === "heading") return block.level <= 2 ? Cut.heading : Cut.subheading;
  if (block.kind !== "item") return Cut.block;
  if (previous?.kind === "item") return block.level === 0 ? Cut.item : Cut.line;
  const last = previous?.lines.at(-1);
  const introduced = last !== undefined && /[:：]\s*$/u.test(text.slice(Math.max(last.start, last.end - 8), last.end));
  return introduced ? Cut.worst : Cut.block;
};

/** Sentences of a paragraph, heading or list item; a line of code or verse ends a unit too. */
function* proseUnits(
  text: string,
  block: Block,
  first: number,
  headings: readonly string[],
): Generator<Unit, void, void> {
  const from = block.lines[0];
  const to = block.lines.at(-1);
  if (from === undefined || to === undefined) return;
  let cut = first;
  let pieceStart = from.start;
  for (const [index, line] of block.lines.entries()) {
    const next = block.lines[index + 1];
    if (next !== undefined && (block.kind === "heading" || !endsUnit(text, line, next))) continue;
    const isWhole = block.kind === "heading" || isInColumns(text, line);
    let at = pieceStart;
    while (at < line.end) {
      const end = isWhole ? line.end : endOfSentence(text, at, line.end);
      const range = trimmed(text, at, end);
      if (range.start < range.end) {
        yield { kind: block.kind, ...range, cut, headings, columns: "" };
        cut = Cut.sentence;
      }
      at = end;
    }
    if (next !== undefined) {
      pieceStart = next.start;
      cut = Math.max(cut, Cut.sentence);
    }
  }
}

/** True if the line break is not just wrapping: in code, verse, addresses, lists without marks. */
const endsUnit = (text: string, line: Line, next: Line): boolean => {
  if (next.indent > next.start) return true;
  if (line.end - line.start < 40 || /[;{}(),:>\]]\s*$/.test(text.slice(Math.max(line.start, line.end - 4), line.end)))
    return true;
  return (
    (beginsWithTime(text, line) && beginsWithTime(text, next)) ||
    (beginsWithLabel(text, line) && beginsWithLabel(text, next)) ||
    isInColumns(text, line) ||
    isInColumns(text, next) ||
    areSeparated(text, [line, next])
  );
};

/** A row of a table that is set with spaces: "MwSt. 19 %                26,41". */
const isInColumns = (text: string, { start, end }: Line): boolean =>
  / {4}| {2}\S+(?: \S+)* {2}/.test(text.slice(start, Math.min(end, start + 400)).trim());

const separators = [/\t/g, /;(?! )/g, /,(?=\S)/g];
/** Separators in a line of values, at least: prose has few without a space after them. */
const minSeparators = 2;
const maxLineCharacters = 4_000;

/** Whether lines are rows of values with the same separator, as many in each: csv that came as text. */
export const areSeparated = (text: string, lines: readonly Line[]): boolean =>
  separators.some((separator) => {
    const counts = lines.map(
      ({ start, end }) =>
        (
          text
            .slice(start, Math.min(end, start + maxLineCharacters))
            .replace(/"[^"\n]*"/g, "")
            .match(separator) ?? []
        ).length,
    );
    return (counts[0] ?? 0) >= minSeparators && counts.every((count) => count === counts[0]);
  });

/** A line of a chat, a log, a diary or a plan: "[03.07.26, 18:05] Omar: …", "2026-07-03 …", "18:05 …", "Sat 11 April …". */
const beginsWithTime = (text: string, { start }: Line): boolean => {
  const beginning = text.slice(start, start + 40);
  if (/^\[?\d{1,4}(?:[./-]\d{1,2}[./-]\d{1,4}|:\d\d)[\s,\]:T]/.test(beginning.slice(0, 16))) return true;
  const [, day = "", month = ""] = dayOfMonth.exec(beginning) ?? monthAndDay.exec(beginning) ?? [];
  return monthNamed(/\p{L}/u.test(day) ? day : month) !== null;
};

/** A line that says first what it is of: "Lecturer: Prof. Solheim", "**Credits:** 10". */
const beginsWithLabel = (text: string, { start }: Line): boolean =>
  /^[*_]{0,2}\p{Lu}[^:.!?\n]{1,40}:[*_]{0,2}\s/u.test(text.slice(start, start + 60));

/** "Sat 11 April", "11. April", "samedi 11 avril"; "April 11", "Saturday, April 11". */
const dayOfMonth = /^(?:\p{L}{2,12}\.?,? )?(\d{1,2})(?:\.|st|nd|rd|th)?(?: de| of)? (\p{L}{3,12})/u;
const monthAndDay = /^(?:\p{L}{3,12},? )?(\p{L}{3,12})\.? (\d{1,2})(?!\d)/u;

const blankBefore = (lines: readonly Line[], index: number): boolean => {
  const before = lines[index - 1];
  return before !== undefined && before.indent === before.end;
};

const space = /\s/;

const trimmed = (text: string, start: number, end: number): { start: number; end: number } => {
  let from = start;
  let to = end;
  while (from < to && space.test(text[from] ?? "")) from++;
  while (to > from && space.test(text[to - 1] ?? "")) to--;
  return { start: from, end: to };
};
