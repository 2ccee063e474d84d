import { loweredText, raisedText, superscript } from "../../blocks/tidy-text.ts";
import { inReadingDirection, isMostlyRightToLeft, isRightToLeft } from "./bidi.ts";
import { withFractions } from "./fractions.ts";
import { amount, mostCounted, type PlacedText, textWidth } from "./measures.ts";
import { createOpenLines, type Growing } from "./open-lines.ts";
import { evenPitch, isWideGap, joinedScript, type TextRun, wordGapOf } from "./page-text.ts";
import { type Box, maxRuleWidth } from "./pdfium.ts";

/** Text on one line without a wide gap: a line of a column, or a cell of a table. */
export interface Segment extends PlacedText {
  /** The rows of a table that stands here whole. */
  table?: string[][];
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

/** Where PDFium saw a blank, this share of the gap that parts words is enough. */
const seenBlankShare = 0.6;

/** Joins runs to segments from left to right, by their position and not by their order in the file. */
export const buildSegments = (runs: readonly TextRun[], rules: readonly Box[] = []): Segment[] => {
  const words = withFractions(withDropCaps(withoutShadows(runs)), rules, textOfLine);
  const isTurned = isMostlyRightToLeft(words.map(({ text }) => text).join(" "));
  const areStated = !isTurned && statesBlanks(words);
  const [isRiver, isRule] = [findRivers(words, areStated), findUprights(rules)];
  const lines = createOpenLines((end, { x, y, size, blank }) => {
    const isUnstated = areStated && blank !== "stated" && x - end > unstatedGap * size;
    return isUnstated || isRule(end, x, y) || isRiver(end, x, y);
  });
  for (const run of [...words].sort((a, b) => a.x - b.x)) {
    const home = lines.nearest(run);
    if (home) lines.add(home, run);
    else lines.begin(run);
  }
  return lines
    .all()
    .map((line) => finished(line, isTurned))
    .sort((a, b) => a.y - b.y || a.x0 - b.x0);
};

/** The text of runs that stand beside one another, the largest of which says where the line is. */
const textOfLine = (runs: readonly TextRun[]): string => {
  const sorted = runs.toSorted((a, b) => a.x - b.x);
  const { y, size } = sorted.reduce((most, run) => (run.size > most.size ? run : most));
  return finished({ runs: sorted, x1: 0, y, size }, false).text;
};

/**
 * Where a page states the blanks between words, a gap of this many font heights without one parts two texts, and a
 * narrower one where there are such on several lines.
 */
const unstatedGap = 0.75;
const unstatedRiver = 0.17;
const [fewestBlanks, statedShare] = [8, 0.75];

/** Whether the file has a blank wherever two words are as near as words of one text are. */
const statesBlanks = (runs: readonly TextRun[]): boolean => {
  const near = runs.filter((run, index) => {
    const before = runs[index - 1];
    const gap = before === undefined ? 0 : (run.x - before.x - before.width) / run.size;
    return gap > 0.12 && gap < 0.4 && Math.abs(run.y - (before?.y ?? 0)) < 0.1 * run.size;
  });
  const stated = near.filter(({ blank }) => blank === "stated").length;
  return stated >= fewestBlanks && stated >= statedShare * near.length;
};

/** Upright lines shorter than this are part of a letter or a sign. */
const minUpright = 6;
const maxUprights = 3_000;

/** Finds where a drawn line parts two cells. */
export const findUprights = (rules: readonly Box[]): ((x0: number, x1: number, y: number) => boolean) => {
  const uprights = rules
    .filter((rule) => rule.x1 - rule.x0 <= maxRuleWidth && rule.y1 - rule.y0 >= minUpright)
    .slice(0, maxUprights);
  return (x0, x1, y) =>
    uprights.some((rule) => rule.y0 <= y && rule.y1 >= y - 2 && rule.x0 >= x0 - 1 && rule.x1 <= x1 + 1);
};

/** A drop cap is at least this many times as high as the lines beside it. */
const dropCapHeight = 1.8;

/** The large first letter of a text that stands beside several lines goes before the first word of the upper one. */
const withDropCaps = (runs: readonly TextRun[]): TextRun[] => {
  const caps = runs.filter(({ text }) => /^["“„«]?\p{Lu}$/u.test(text)).slice(0, 20);
  let words = [...runs];
  for (const cap of caps) {
    const near = words.filter(
      ({ x, y, size }) =>
        size * dropCapHeight <= cap.size &&
        x >= cap.x + 0.5 * cap.width &&
        x < cap.x + cap.width + 0.5 * cap.size &&
        y > cap.y - cap.size &&
        y <= cap.y + 0.1 * cap.size,
    );
    // The first word of each line beside it.
    const beside = near.filter(
      (word) => !near.some(({ x, y, size }) => x < word.x && Math.abs(y - word.y) < 0.3 * size),
    );
    const first = beside.sort((a, b) => a.y - b.y || a.x - b.x)[0];
    if (first === undefined || !beside.some(({ y }) => y > first.y + 0.5 * first.size)) continue;
    // The lines beside it begin where it does, as if it were not there.
    const widened = new Map(
      beside.map((word) => {
        const text = word === first ? cap.text + word.text : word.text;
        return [word, { ...word, text, x: cap.x, width: word.x + word.width - cap.x }];
      }),
    );
    words = words.filter((word) => word !== cap).map((word) => widened.get(word) ?? word);
  }
  return words;
};

/** More than there are squares below one another. */
const squaresDown = 1e7;

/**
 * Some programs make bold text by drawing it twice: the same text in the same size at nearly the same place counts once.
 */
const withoutShadows = (runs: readonly TextRun[]): TextRun[] => {
  /** By text and size, then by squares as wide as the distance that counts as near: in each there is one at most. */
  const seen = new Map<string, Map<number, TextRun>>();
  return runs.filter((run) => {
    const near = 0.25 * run.size;
    const key = `${run.size} ${run.text}`;
    const same = seen.get(key) ?? new Map<number, TextRun>();
    seen.set(key, same);
    const [across, down] = [Math.floor(run.x / near), Math.floor(run.y / near)];
    for (const x of [across - 1, across, across + 1])
      for (const y of [down - 1, down, down + 1]) {
        const other = same.get(x * squaresDown + y);
        if (other && Math.abs(other.x - run.x) < near && Math.abs(other.y - run.y) < near) return false;
      }
    same.set(across * squaresDown + down, run);
    return true;
  });
};

/** A raised digit stands at most this many font heights after what it belongs to; one further away is another text. */
const maxRaisedGap = 0.8;
/** Of Latin words in right-to-left text, a blank that the file states may be on either side. */
const leastStatedGap = 0.1;
/** Where letters are equally wide, so is a blank; TeX sets the signs of code somewhat apart. */
const leastFixedGap = 0.3;

/** Bodies of letters that dots stand for are at most this many font heights wide. */
const widestBody = 0.38;

/** @param isTurnedPage whether the page is written from right to left */
const finished = ({ runs, x1, y, size }: Growing, isTurnedPage: boolean): Segment => {
  const fonts = new Map<string, number>();
  for (const run of runs) fonts.set(run.font, (fonts.get(run.font) ?? 0) + run.text.length);
  const font = mostCounted(fonts) ?? "";
  const isSpaced = gapOfSpacedWords(runs, size);
  // Where dots of letters stand for them, their bodies are gaps.
  const isOfDots = runs.some((run) => joinedScript.test(run.text) && Math.abs(run.y - y) > 0.15 * size);
  const tokens: { text: string; isTurned: boolean }[] = [];
  let end = 0;
  let turnedBlank: TextRun["blank"] = "none";
  for (const run of runs) {
    const gap = run.x - end;
    const isTurned = isRightToLeft(run.text);
    // From right to left, the blank before a word is at its right.
    const blank = isTurned ? turnedBlank : run.blank === "none" ? turnedBlank : run.blank;
    turnedBlank = isTurned ? run.blank : "none";
    const isAmongLatin = isTurnedPage && !isTurned && tokens.at(-1)?.isTurned === false;
    const isEven = run.font.endsWith(evenPitch);
    const leastStated = isEven ? leastFixedGap : isAmongLatin ? leastStatedGap : -leastStatedGap;
    const isStated = blank === "stated" && gap > leastStated * size;
    const parting = isEven ? leastFixedGap : wordGapOf(tokens.at(-1)?.text ?? "", run.text);
    const isSeen = blank === "seen" && !(isWideGap(parting) && !isEven) && gap > seenBlankShare * parting * size;
    const isBody = isOfDots && isTurned && tokens.at(-1)?.isTurned === true && gap < widestBody * size;
    const isApart = isBody ? isStated : isSpaced === null ? gap > parting * size || isStated || isSeen : gap > isSpaced;
    const isFar = tokens.length > 0 && gap > maxRaisedGap * size;
    const before = tokens.at(-1)?.text ?? "";
    const text = isFar ? run.text : withRaised(run, { y, size, isFirst: tokens.length === 0, before });
    const last = tokens.at(-1);
    if (last === undefined || isApart) tokens.push({ text, isTurned });
    else {
      // Parts of one word are from left to right, whichever way it is read.
      // A hyphen between a number and a letter on its right is read before the number.
      const [number, hyphen] =
        isTurned && /\d[-–]$/.test(last.text) ? [last.text.slice(0, -1), last.text.at(-1)] : [last.text, ""];
      last.text = isTurned || last.isTurned ? `${text}${hyphen}${number}` : last.text + text;
      last.isTurned ||= isTurned;
    }
    end = run.x + run.width;
  }
  const text = inReadingDirection(
    tokens.map((token) => token.text),
    isTurnedPage,
  )
    .join(" ")
    // One that is drawn inside a line is a hyphen.
    .replace(/\u00ad(?=.)/g, "-");
  return { text: text.replace(/\s+/g, " "), x0: runs[0]?.x ?? 0, x1, y, size, font };
};

const fewestSpaced = 4;

/** Where all are single letters with even gaps between them, as headings are set, the gap above which words part; or null. */
const gapOfSpacedWords = (runs: readonly TextRun[], size: number): number | null => {
  // With blanks between them they may be figures, or names of things: there must be more.
  const isStated = runs.slice(1).every(({ blank }) => blank === "stated");
  const single = isStated ? /^\p{L}\p{M}*$/u : /^[\p{L}\p{N}]\p{M}*$/u;
  if (runs.length < fewestSpaced + (isStated ? 1 : 0) || !runs.every(({ text }) => single.test(text))) return null;
  const gaps = runs.slice(1).map((run, index) => run.x - (runs[index]?.x ?? 0) - (runs[index]?.width ?? 0));
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 4)] ?? 0;
  const most = Math.max(usual + 0.3 * size, 1.6 * usual);
  return gaps.every((gap) => gap < usual + 0.3 * size || gap > most) ? most : null;
};

/**
 * The text of a run that is smaller than its line and higher or lower: `10⁶`, `m²`, `1948³`, `H₂O`; letters as `^a`.
 */
const withRaised = (
  { text, y, size }: TextRun,
  line: { y: number; size: number; isFirst: boolean; before: string },
): string => {
  const raised = line.y - y;
  if (size > 0.9 * line.size) return text;
  if (raised > 0.15 * line.size) {
    const isMark = /^[\p{L}*†‡]{1,3}$/u.test(text);
    return (
      superscript(text) ??
      (line.isFirst || !isMark || (/^\p{L}{2}/u.test(text) && !/\d$/.test(line.before))
        ? text
        : raisedText(text, line.before))
    );
  }
  return raised < -0.05 * line.size && /\p{L}$/u.test(line.before) ? loweredText(text) : text;
};

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
const findRivers = (runs: readonly TextRun[], areStated: boolean): ((x0: number, x1: number, y: number) => boolean) => {
  const found: River[] = [];
  const least = areStated ? unstatedRiver : minGap;
  let open: River[] = [];
  const close = (river: River, size: number) => {
    const isWide = river.x1 - river.x0 >= wideRiver * size;
    if (river.lines >= (isWide ? minLinesOfWide : minLines)) found.push(river);
  };
  for (const line of linesOf(runs)) {
    const gaps = gapsOf(line.runs, least).filter(({ x0, x1, least }) => x1 - x0 >= least * line.size);
    const next: River[] = [];
    const used = new Set<Gap>();
    for (const river of open) {
      if (line.y - river.bottom > maxLeading * line.size) {
        close(river, line.size);
        continue;
      }
      const gap = gaps.find(
        ({ x0, x1 }) => Math.min(x1, river.x1) - Math.max(x0, river.x0) >= Math.min(minWidth, least) * line.size,
      );
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
  /** In font heights, what parts these two texts. */
  least: number;
}

/** In font heights. */
const usualBlank = 0.4;

const gapsOf = (runs: readonly TextRun[], usual: number): Gap[] => {
  const gaps: Gap[] = [];
  let end = Number.POSITIVE_INFINITY;
  let before = "";
  for (const { text, x, width, size, blank } of runs) {
    // Two amounts are in two columns, unless the blank between them is a usual one.
    const isInText = blank === "stated" && (x - end < usualBlank * size || !(amount.test(before) && amount.test(text)));
    // Groups of digits: thousands, numbers of accounts.
    const isThousands = /\d$/.test(before) && /^(?:\d{3}\b|0\d)/.test(text);
    if (x > end) gaps.push({ x0: end, x1: x, least: isInText ? maxBlank : isThousands ? minGap : usual });
    before = text;
    end = end === Number.POSITIVE_INFINITY ? x + width : Math.max(end, x + width);
  }
  return gaps;
};
