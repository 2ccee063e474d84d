import { fraction, grouped, index, power } from "../../markup/formula.ts";
import type { TextRun } from "./page-text.ts";
import { type Box, maxRuleWidth } from "./pdfium.ts";

/** The bar of a fraction is as wide as the wider one of what stands above and below it, but for so much. */
const overhang = 3;
const longestBar = 300;
/** Pages with more lines hold drawings or tables. */
const mostBars = 200;
/** What stands beside a fraction is at most so many font heights away, on a line that is so much below its bar. */
const [beside, axis] = [1.4, 0.25];

/** Signs and words that limits stand above and below of. */
const limited = /^(?:[∑∏∫∮⋃⋂]|lim|max|min|sup|inf|argmax|argmin)$/;
const mostLimited = 200;

/** The limits of sums, products, integrals behind their signs, which go into the line of what they are of: `∑_(k=0)^∞`. */
const withLimits = (words: readonly TextRun[], textOf: (runs: readonly TextRun[]) => string): TextRun[] => {
  let runs = [...words];
  for (const sign of words.filter(({ text }) => limited.test(text)).slice(0, mostLimited)) {
    const { x, width, size } = sign;
    const isWord = /\p{L}/u.test(sign.text);
    const after = runs.filter(
      (run) =>
        run.x > x &&
        run.x - x - width < 1.5 * size &&
        run.size > 0.9 * size &&
        run.y - sign.y > -0.1 * size &&
        run.y - sign.y < 1.7 * size,
    );
    const next = after.reduce<TextRun | undefined>((a, b) => (a === undefined || b.x < a.x ? b : a), undefined);
    if (next === undefined) continue;
    const y = isWord ? sign.y : next.y;
    const near = runs.filter(
      (run) => run.size < 0.85 * size && run.x < x + width + 0.6 * size && run.x + run.width > x - 0.8 * size,
    );
    const above = isWord ? [] : near.filter((run) => run.y < y - 0.9 * size && run.y > y - 2.2 * size);
    const below = near.filter((run) => run.y > y + 0.5 * size && run.y < y + 2.2 * size);
    if (below.length === 0) continue;
    const text = `${sign.text}${index(textOf(below))}${power(above.length > 0 ? textOf(above) : "")}`;
    const joined: TextRun = { ...sign, text, y, blank: "stated" };
    const taken = new Set([sign, ...above, ...below]);
    runs = runs.flatMap((run) => (run === sign ? [joined] : taken.has(run) ? [] : [run]));
  }
  return runs;
};

/** The runs of a page with formulas that bars are drawn in as linear text: `(a + b)/c`, `√(x)`. */
export const withFractions = (
  words: readonly TextRun[],
  rules: readonly Box[],
  textOf: (runs: readonly TextRun[]) => string,
): TextRun[] => {
  let runs = withLimits(words, textOf);
  const bars = rules.filter((rule) => rule.y1 - rule.y0 <= maxRuleWidth && rule.x1 - rule.x0 <= longestBar);
  if (bars.length > mostBars) return runs;
  // What is inside is narrower.
  for (const bar of bars.sort((a, b) => a.x1 - a.x0 - (b.x1 - b.x0))) {
    const joined = fractionAt(bar, runs, textOf) ?? rootAt(bar, runs, textOf);
    if (joined === null) continue;
    const taken = new Set(joined.of);
    runs = [...runs.filter((run) => !taken.has(run)), joined.run];
  }
  return runs;
};

/** Whether a text stands over or under a bar, but for a mark at its end. */
const isOver = ({ text, x, width, size }: TextRun, { x0, x1 }: Box): boolean =>
  x >= x0 - 1.5 && x + width - (/.[.,;:]$/.test(text) ? 0.3 * size : 0) <= x1 + 1.5;
const spread = (runs: readonly TextRun[]): number =>
  Math.max(...runs.map(({ x, width }) => x + width)) - Math.min(...runs.map(({ x }) => x));

interface Joined {
  run: TextRun;
  of: TextRun[];
}

const fractionAt = (
  bar: Box,
  runs: readonly TextRun[],
  textOf: (runs: readonly TextRun[]) => string,
): Joined | null => {
  const y = (bar.y0 + bar.y1) / 2;
  const near = runs.filter((run) => isOver(run, bar) && Math.abs(run.y - y) < 2 * run.size);
  const largest = Math.max(0, ...near.map(({ size }) => size));
  const inside = near.filter((run) => Math.abs(run.y - y) < 1.5 * largest);
  const above = inside.filter((run) => run.y <= y + 0.05 * run.size);
  const below = inside.filter((run) => run.y > y + 0.4 * run.size);
  if (above.length === 0 || below.length === 0 || above.length + below.length < inside.length) return null;
  if (Math.max(spread(above), spread(below)) < bar.x1 - bar.x0 - overhang) return null;
  // A figure over a sum has nothing beside it that stands on the line between them.
  const neighbor = runs.find(
    (run) =>
      !isOver(run, bar) &&
      Math.max(run.x - bar.x1, bar.x0 - run.x - run.width) < beside * run.size &&
      Math.abs(run.y - y - axis * run.size) < 0.12 * run.size,
  );
  if (neighbor === undefined) return null;
  const text = fraction(textOf(above), textOf(below));
  const run = { ...neighbor, text, x: bar.x0, width: bar.x1 - bar.x0, y: neighbor.y, blank: "stated" as const };
  return { run, of: inside };
};

const rootAt = (bar: Box, runs: readonly TextRun[], textOf: (runs: readonly TextRun[]) => string): Joined | null => {
  const sign = runs.find(
    ({ text, x, width, y, size }) =>
      text === "√" && Math.abs(x + width - bar.x0) < 2.5 && bar.y0 > y - 2.5 * size && bar.y0 < y + 0.5 * size,
  );
  if (sign === undefined) return null;
  const under = runs.filter((run) => isOver(run, bar) && run.y > bar.y1 && run.y < bar.y1 + 2 * sign.size);
  const main = under.toSorted((a, b) => b.size - a.size)[0];
  if (main === undefined) return null;
  const run = {
    ...main,
    text: `√${grouped(textOf(under))}`,
    x: sign.x,
    width: bar.x1 - sign.x,
    blank: "stated" as const,
  };
  return { run, of: [sign, ...under] };
};
