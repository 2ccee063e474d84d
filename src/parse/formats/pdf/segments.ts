import { textWidth } from "./measures.ts";
import { createOpenLines, type Growing } from "./open-lines.ts";
import type { TextRun } from "./page-text.ts";

/** Text on one line without a wide gap: a line of a column, or a cell of a table. */
export interface Segment {
  text: string;
  x0: number;
  x1: number;
  /** Position of the baseline. */
  y: number;
  size: number;
  /** The font of most of its characters. */
  font: string;
}

const widths = new WeakMap<Segment, number>();

/** Number of characters, wide ones counted double. It is asked for often. */
export const segmentWidth = (segment: Segment): number => {
  const known = widths.get(segment);
  if (known !== undefined) return known;
  const width = textWidth(segment.text);
  widths.set(segment, width);
  return width;
};

/** A gap of this many font heights is a blank. */
const blankGap = 0.16;

/** Joins runs to segments from left to right, by their position and not by their order in the file. */
export const buildSegments = (runs: readonly TextRun[]): Segment[] => {
  const lines = createOpenLines();
  const byX = [...withoutShadows(runs)].sort((a, b) => a.x - b.x);
  for (const run of byX) {
    const home = lines.nearest(run);
    if (home) lines.add(home, run);
    else lines.begin(run);
  }
  return lines
    .all()
    .map(finished)
    .sort((a, b) => a.y - b.y || a.x0 - b.x0);
};

/**
 * Some programs make bold text by drawing it twice: the same text in the same size at nearly the same place counts once.
 */
const withoutShadows = (runs: readonly TextRun[]): TextRun[] => {
  /** By text and size, then by squares as wide as the distance that counts as near: in each there is one at most. */
  const seen = new Map<string, Map<string, TextRun>>();
  return runs.filter((run) => {
    const near = 0.25 * run.size;
    const key = `${run.size} ${run.text}`;
    const same = seen.get(key) ?? new Map<string, TextRun>();
    seen.set(key, same);
    const [across, down] = [Math.floor(run.x / near), Math.floor(run.y / near)];
    for (const x of [across - 1, across, across + 1])
      for (const y of [down - 1, down, down + 1]) {
        const other = same.get(`${x} ${y}`);
        if (other && Math.abs(other.x - run.x) < near && Math.abs(other.y - run.y) < near) return false;
      }
    same.set(`${across} ${down}`, run);
    return true;
  });
};

const finished = ({ runs, x1, y, size }: Growing): Segment => {
  let text = "";
  let end = 0;
  const fonts = new Map<string, number>();
  for (const run of runs) {
    const gap = run.x - end;
    const isApart = gap > blankGap * size || (run.hasSpaceBefore && gap > -0.1 * size);
    text += text !== "" && isApart ? ` ${run.text}` : run.text;
    end = run.x + run.width;
    fonts.set(run.font, (fonts.get(run.font) ?? 0) + run.text.length);
  }
  const font = [...fonts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
  return { text: text.replace(/\s+/g, " "), x0: runs[0]?.x ?? 0, x1, y, size, font };
};
