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

/** A gap of this many font heights separates two segments; gaps between words of justified lines are smaller. */
const partingGap = 1.05;
/** A gap of this many font heights is a blank. */
const blankGap = 0.16;

interface Growing {
  runs: TextRun[];
  x1: number;
  y: number;
  size: number;
}

/** Joins runs to segments from left to right, by their position and not by their order in the file. */
export const buildSegments = (runs: readonly TextRun[]): Segment[] => {
  const growing: Growing[] = [];
  const byX = [...withoutShadows(runs)].sort((a, b) => a.x - b.x);
  for (const run of byX) {
    const home = nearest(growing, run);
    if (home) {
      home.runs.push(run);
      home.x1 = Math.max(home.x1, run.x + run.width);
      if (run.size > home.size * 1.2) {
        home.y = run.y;
        home.size = run.size;
      }
    } else growing.push({ runs: [run], x1: run.x + run.width, y: run.y, size: run.size });
  }
  return growing.map(finished).sort((a, b) => a.y - b.y || a.x0 - b.x0);
};

const nearest = (growing: readonly Growing[], run: TextRun): Growing | null => {
  let best: Growing | null = null;
  let bestGap = Number.POSITIVE_INFINITY;
  for (const candidate of growing) {
    const size = Math.max(candidate.size, run.size);
    const gap = run.x - candidate.x1;
    if (gap > partingGap * Math.min(size, candidate.size * 1.5) || gap < -0.6 * size) continue;
    if (!onOneLine(candidate, run)) continue;
    if (Math.abs(gap) < bestGap) {
      best = candidate;
      bestGap = Math.abs(gap);
    }
  }
  return best;
};

/** Same baseline, or a smaller run raised or lowered beside a larger one. */
const onOneLine = (candidate: Growing, run: TextRun): boolean => {
  const apart = Math.abs(candidate.y - run.y);
  const small = Math.min(candidate.size, run.size);
  const large = Math.max(candidate.size, run.size);
  return apart <= 0.25 * small || (small < 0.85 * large && apart <= 0.45 * large);
};

/** Some programs make bold text by drawing it twice: the same text at nearly the same place counts once. */
const withoutShadows = (runs: readonly TextRun[]): TextRun[] => {
  const seen = new Map<string, TextRun[]>();
  return runs.filter((run) => {
    const same = seen.get(run.text) ?? [];
    const near = 0.25 * run.size;
    if (same.some((other) => Math.abs(other.x - run.x) < near && Math.abs(other.y - run.y) < near)) return false;
    same.push(run);
    seen.set(run.text, same);
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
