import { amount } from "./measures.ts";
import type { TextRun } from "./page-text.ts";

/** White space that runs down a page between the lines of two columns. */
interface River {
  x0: number;
  x1: number;
  top: number;
  bottom: number;
  /** Lines that have words on both sides of it. */
  lines: number;
}

/** Gaps in one line that may be part of a river are at least this many font heights wide; narrower ones are blanks. */
const minGap = 0.55;
/** A blank that the file states is one, however wide the font makes it, up to this many font heights. */
const maxBlank = 1;
/** What all gaps of a river have in common is at least this wide. */
const minWidth = 0.4;
/** A river has at least this many lines, fewer where it is this many font heights wide. */
const minLines = 4;
const wideRiver = 1;
const minLinesOfWide = 2;
/** Lines further apart than this many font heights belong to different columns. */
const maxLeading = 3;
const maxOpen = 200;

/** Finds where a gap inside a line parts two columns. */
export const findRivers = (runs: readonly TextRun[]): ((x0: number, x1: number, y: number) => boolean) => {
  const found: River[] = [];
  let open: River[] = [];
  const close = (river: River, size: number) => {
    const isWide = river.x1 - river.x0 >= wideRiver * size;
    if (river.lines >= (isWide ? minLinesOfWide : minLines)) found.push(river);
  };
  for (const line of linesOf(runs)) {
    const gaps = gapsOf(line.runs).filter(
      ({ x0, x1, isInText }) => x1 - x0 >= (isInText ? maxBlank : minGap) * line.size,
    );
    const next: River[] = [];
    const used = new Set<Gap>();
    for (const river of open) {
      if (line.y - river.bottom > maxLeading * line.size) {
        close(river, line.size);
        continue;
      }
      const gap = gaps.find(({ x0, x1 }) => Math.min(x1, river.x1) - Math.max(x0, river.x0) >= minWidth * line.size);
      if (gap !== undefined) {
        used.add(gap);
        const [x0, x1] = [Math.max(gap.x0, river.x0), Math.min(gap.x1, river.x1)];
        next.push({ ...river, x0, x1, bottom: line.y, lines: river.lines + 1 });
      } else if (line.runs.some(({ x, width }) => x < river.x1 && x + width > river.x0)) close(river, line.size);
      else next.push({ ...river, bottom: line.y });
    }
    for (const gap of gaps)
      if (!used.has(gap) && next.length < maxOpen)
        next.push({ x0: gap.x0, x1: gap.x1, top: line.y, bottom: line.y, lines: 1 });
    open = next;
  }
  for (const river of open) close(river, 10);
  return (x0, x1, y) =>
    found.some((river) => y >= river.top - 1 && y <= river.bottom + 1 && river.x0 >= x0 - 1 && river.x1 <= x1 + 1);
};

interface WordLine {
  runs: TextRun[];
  y: number;
  size: number;
}

const linesOf = (runs: readonly TextRun[]): WordLine[] => {
  const lines: WordLine[] = [];
  for (const run of [...runs].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const last = lines.at(-1);
    if (last && Math.abs(last.y - run.y) <= 0.35 * Math.max(last.size, run.size)) {
      last.runs.push(run);
      last.size = Math.max(last.size, run.size);
    } else lines.push({ runs: [run], y: run.y, size: run.size });
  }
  for (const line of lines) line.runs.sort((a, b) => a.x - b.x);
  return lines;
};

interface Gap {
  x0: number;
  x1: number;
  isInText: boolean;
}

const gapsOf = (runs: readonly TextRun[]): Gap[] => {
  const gaps: Gap[] = [];
  let end = Number.POSITIVE_INFINITY;
  let before = "";
  for (const { text, x, width, blank } of runs) {
    // Two amounts are in two columns.
    const isInText = blank === "stated" && !(amount.test(before) && amount.test(text));
    if (x > end) gaps.push({ x0: end, x1: x, isInText });
    before = text;
    end = end === Number.POSITIVE_INFINITY ? x + width : Math.max(end, x + width);
  }
  return gaps;
};
