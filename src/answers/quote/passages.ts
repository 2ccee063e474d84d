import { blocksOf } from "../../text/chunk/blocks.ts";
import { unitsOf } from "../../text/chunk/units.ts";

/** A sentence, list item, table row or line of code of a snippet. */
export interface Passage {
  text: string;
  start: number;
  kind: "sentence" | "item" | "row" | "heading";
  /** Ends in a colon: introduces a list or table. */
  introducesList: boolean;
}

/** Limits for hostile input: a snippet is about a thousand characters. */
const maxCharacters = 20_000;
const maxPassages = 400;

/** The parts of a snippet that can be quoted, in order: whole list items and table rows, and sentences. */
export const passagesOf = (snippet: string): Passage[] => {
  const text = snippet.slice(0, maxCharacters);
  const passages: Passage[] = [];
  const add = (start: number, end: number, kind: Passage["kind"]): void => {
    const piece = text.slice(start, end);
    if (/[\p{L}\p{N}]/u.test(piece)) passages.push({ text: piece, start, kind, introducesList: /[:：]$/u.test(piece) });
  };
  const blocks = [...blocksOf(text)];
  const items = blocks.filter(({ kind }) => kind === "item").map(rangeOf);
  const rows = blocks.filter(({ kind }) => kind === "table").map(rangeOf);
  const headings = blocks.filter(({ kind }) => kind === "heading").map(rangeOf);
  for (const { start, end } of items) add(trimStart(text, start, end), trimEnd(text, start, end), "item");
  for (const unit of unitsOf(text)) {
    if (items.some(holds(unit.start))) continue;
    const kind = rows.some(holds(unit.start)) ? "row" : headings.some(holds(unit.start)) ? "heading" : "sentence";
    if (unit.start < unit.end) add(unit.start, unit.end, kind);
    if (passages.length >= maxPassages) break;
  }
  return passages.sort((a, b) => a.start - b.start);
};

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
