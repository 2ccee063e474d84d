import type { LinkedText } from "./links.ts";
import { amount, charactersIn, mostCounted } from "./measures.ts";
import { minorShare, type TextFlow } from "./page-text.ts";
import { comparable, type DocumentStyle } from "./paragraphs.ts";
import { fixedPitch } from "./pdfium.ts";
import { buildLines, type Row } from "./rows.ts";
import type { Segment } from "./segments.ts";

/** Headers and footers are within this share of the page's height from its top or bottom. */
const margin = 0.12;

/** A page's text in one direction. */
export interface PageFlow extends Omit<TextFlow, "runs"> {
  segments: Segment[];
}

export interface PageSegments {
  /** What there is most of first. */
  flows: PageFlow[];
  links: LinkedText[];
  /** Text in no upright direction. */
  slanted: string;
  /** Notes on the page. */
  notes: string[];
  /** Lines that repeat on the pages, on the first one that has them. */
  running?: { above: string[]; below: string[] };
}

/** Lines repeat on at least this share of the pages, since left and right pages often differ. */
const oftenShare = 0.4;
const fewestRepeats = 3;
/** Lines are in the same place where they differ by this much, in points. */
const samePlace = 3;

/**
 * The pages with each line of their margins that repeats once in the whole document, and without page numbers. Of a line
 * all goes or nothing: it must be the same words in the same place and type, or numbers of pages that count up there. What
 * is larger than the text, holds amounts or stands with the text stays, and so do the only words of a page.
 * @returns also how many lines were left out
 */
export const withoutRunningLines = (pages: readonly PageSegments[]): { pages: PageSegments[]; left: number } => {
  const flows = pages.map((page) => page.flows[0]);
  const isRunning = runningSegments(flows);
  const told = new Set<string>();
  let left = 0;
  const cleaned = pages.map((page): PageSegments => {
    const [flow, ...more] = page.flows;
    if (flow === undefined) return page;
    const going = new Set(flow.segments.filter(isRunning));
    if (going.size === 0 || going.size === flow.segments.length) return page;
    const once = [...going].filter((segment) => numberOf(segment.text) === null && !told.has(placeOf(segment)));
    for (const segment of once) told.add(placeOf(segment));
    left += going.size - once.length;
    const isAbove = ({ y }: { y: number }) => y < flow.height / 2;
    const staying = flow.segments.filter((segment) => !going.has(segment));
    const [top, bottom] = [staying[0]?.y ?? 0, staying.at(-1)?.y ?? 0];
    // What stands below the title of the page, or above its last line, is told there.
    const inside = once.filter((one) => (isAbove(one) ? one.y > top : one.y < bottom));
    for (const segment of inside) going.delete(segment);
    const outside = once.filter((segment) => going.has(segment));
    const running = Map.groupBy(buildLines(outside), (row) => (isAbove(row) ? "above" : "below"));
    const textsOf = (rows: readonly Row[] = []) => rows.map(({ cells }) => cells.map(({ text }) => text).join(" "));
    return {
      ...page,
      flows: [{ ...flow, segments: flow.segments.filter((segment) => !going.has(segment)) }, ...more],
      running: { above: textsOf(running.get("above")), below: textsOf(running.get("below")) },
    };
  });
  return { pages: withSlantedOnce(cleaned), left };
};

const placeOf = ({ text, y, size }: Segment): string =>
  `${Math.round(y / samePlace)} ${Math.round(size * 2)} ${numberOf(text) === null ? text : ""}`;

/** A page number is at least this many font heights from other words on its line. */
const numberDistance = 4;
/** An amount of money at the end of a text. */
const price = /(?:^|\s)[-–+(]?\p{Sc}?\s?\d{1,3}(?:[.,’']?\d{3}){0,4}(?:[.,]\d\d\)?(?:\s?\p{Sc})?|\s?\p{Sc})$/u;
/** The words before a number that is no page's. */
const numberLabel = /(?:[:#№]|\b(?:no|nr|num|number|nummer|numero|número|id|ref)\.?)$/iu;

/** Which segments of the pages are running headers, footers and page numbers. */
const runningSegments = (flows: readonly (PageFlow | undefined)[]): ((segment: Segment) => boolean) => {
  const share = Math.max(2, Math.ceil(flows.length * oftenShare));
  const often = Math.max(share, Math.min(fewestRepeats, flows.length));
  const bodySize = mostCounted(sizesOf(flows.flatMap((flow) => flow?.segments ?? []))) ?? 0;
  const repeats = countPlaces(flows);
  const margins = flows.map((flow) => flow?.segments.filter((one) => isMargin(one, flow)) ?? []);
  const counting = countingNumbers(
    flows.map((flow, page) =>
      [...(margins[page] ?? []), ...lowestLine(flow)].filter(({ text }) => numberOf(text) !== null),
    ),
    share,
  );
  const candidates = new Set(
    [...counting, ...margins.flat()].filter(
      (one) => counting.has(one) || (one.size < headingRatio * bodySize && repeats(one) >= often),
    ),
  );
  const rows = flows.map((flow) => (flow ? buildLines(flow.segments) : []));
  // Whether a line stands with the text is decided for all pages together: a page may be full to its margin.
  const votes = new Map<string, number>();
  for (const [index, flow] of flows.entries())
    for (const [row, isAttached] of attachedRows(rows[index] ?? [], flow?.height ?? 0, candidates))
      for (const cell of row.cells) votes.set(placeOf(cell), (votes.get(placeOf(cell)) ?? 0) + (isAttached ? 1 : -1));
  const running = new Set<Segment>();
  for (const { cells } of rows.flat()) {
    const figures = cells.filter((cell) => amount.test(cell.text) && !counting.has(cell));
    if (figures.length > 1 || cells.some(({ text }) => price.test(text))) continue;
    const isGoing = (cell: Segment, index: number) =>
      candidates.has(cell) &&
      (votes.get(placeOf(cell)) ?? 0) < 0 &&
      !(counting.has(cell) && numberLabel.test(cells[index - 1]?.text ?? ""));
    const isWhole = cells.every(isGoing);
    cells.forEach((cell, index) => {
      if (!isGoing(cell, index)) return;
      const [before, after] = [cells[index - 1], cells[index + 1]];
      const clearance = Math.min(cell.x0 - (before?.x1 ?? -Infinity), (after?.x0 ?? Infinity) - cell.x1);
      if (isWhole || (counting.has(cell) && clearance > numberDistance * cell.size)) running.add(cell);
    });
  }
  return (segment) => running.has(segment);
};

/** Lines less than this many font heights apart, in the same size, stand together. */
const together = 1.7;
/** The head of a table is at most this many font heights above its rows, of which the first ones show its columns. */
const headDistance = 2.5;
const rowsBelowHead = 4;

/** The lines that may run, and whether each stands with the text: near below or above it, or over columns of a table. */
const attachedRows = (rows: readonly Row[], height: number, candidates: ReadonlySet<Segment>): [Row, boolean][] => {
  const half = rows.findIndex(({ y }) => y > height / 2);
  const middle = half < 0 ? rows.length : half;
  const attached = new Map<Row, boolean>();
  const decide = (row: Row, inner: Row | undefined, further: readonly Segment[]) => {
    if (!row.cells.some((cell) => candidates.has(cell))) return;
    const isInnerText = inner !== undefined && (attached.get(inner) ?? true);
    const pitch = Math.abs((inner?.y ?? Infinity) - row.y);
    const isNear = pitch <= together * row.size && Math.abs((inner?.size ?? 0) - row.size) <= 0.5;
    const isInColumns =
      row.cells.length > 1 &&
      pitch <= headDistance * row.size &&
      row.cells.every(({ x0, x1 }) => further.some((other) => other.x0 < x1 && other.x1 > x0));
    attached.set(row, isInnerText && (isNear || isInColumns));
  };
  const cellsOf = (from: number, to: number) => rows.slice(from, to).flatMap(({ cells }) => cells);
  for (let at = middle - 1; at >= 0; at--)
    decide(rows[at] as Row, rows[at + 1], cellsOf(at + 1, at + 1 + rowsBelowHead));
  for (let at = middle; at < rows.length; at++)
    decide(rows[at] as Row, rows[at - 1], cellsOf(Math.max(at - rowsBelowHead, 0), at));
  return [...attached];
};

/** A watermark is told once. */
const withSlantedOnce = (pages: readonly PageSegments[]): PageSegments[] => {
  const seen = new Set<string>();
  return pages.map((page) => {
    if (page.slanted === "" || !seen.has(page.slanted)) {
      seen.add(page.slanted);
      return page;
    }
    return { ...page, slanted: "" };
  });
};

/** On how many pages the text of a segment is found in the same place and type. */
const countPlaces = (flows: readonly (PageFlow | undefined)[]): ((segment: Segment) => number) => {
  const places = new Map<string, { y: number; size: number; page: number }[]>();
  flows.forEach((flow, page) => {
    if (flow === undefined) return;
    for (const segment of flow.segments) {
      if (!isMargin(segment, flow)) continue;
      const known = places.get(segment.text) ?? [];
      places.set(segment.text, known);
      known.push({ y: segment.y, size: segment.size, page });
    }
  });
  const counted = new Map<string, number>();
  return (segment) => {
    const place = `${Math.round(segment.y / samePlace)} ${Math.round(segment.size * 2)} ${segment.text}`;
    const before = counted.get(place);
    if (before !== undefined) return before;
    const alike = (places.get(segment.text) ?? []).filter((other) => isSamePlace(other, segment));
    const count = new Set(alike.map(({ page }) => page)).size;
    counted.set(place, count);
    return count;
  };
};

const isSamePlace = (a: { y: number; size: number }, b: { y: number; size: number }): boolean =>
  Math.abs(a.y - b.y) <= samePlace && Math.abs(a.size - b.size) <= 0.5;

/** A page number alone, with the word for page or the number of pages. */
const pageNumber =
  /^[-–—|·\s]*(?:(?:page|seite|página|pagina|p|pág|pag|s|str|strana|strona|sida|side|sivu|oldal|sayfa|стр|страница|עמוד|صفحة|第)\.?\s*)?(\d{1,5})(?:\s*(?:\/|\||of|von|de|di|sur|из|z|av)\s*(\d{1,5}))?\s*(?:页|頁|ページ|쪽)?[-–—|·.\s]*$/iu;
const roman = /^[-–—\s]*([ivxl]{1,8})[-–—\s]*$/i;
const maxPageNumberCharacters = 40;
/** Higher ones are years, or numbers of invoices. */
const maxNumber = 1_800;

/** The page number that a line is, or null. */
const numberOf = (text: string): number | null => {
  if (text.length > maxPageNumberCharacters) return null;
  const [, digits, total = "0"] = pageNumber.exec(text) ?? [];
  if (digits !== undefined) return Math.max(Number(digits), Number(total)) > maxNumber ? null : Number(digits);
  const letters = roman.exec(text)?.[1];
  return letters === undefined ? null : romanValue(letters.toLowerCase());
};

const romanValue = (letters: string): number => {
  const values: Record<string, number> = { i: 1, v: 5, x: 10, l: 50 };
  return [...letters].reduce((sum, letter, index) => {
    const value = values[letter] ?? 0;
    return sum + (value < (values[letters[index + 1] ?? ""] ?? 0) ? -value : value);
  }, 0);
};

/** Of the numbers in the margins of each page those that count up with the pages, at the same height and in the same type. */
const countingNumbers = (pages: readonly (readonly Segment[])[], fewest: number): ReadonlySet<Segment> => {
  const groups = new Map<string, Segment[]>();
  pages.forEach((segments, page) => {
    for (const segment of segments) {
      const first = (numberOf(segment.text) ?? 0) - page;
      const isRoman = !/\d/.test(segment.text);
      for (const shift of [0, 1]) {
        const key = `${first} ${isRoman} ${Math.floor(segment.y / (2 * samePlace) + shift / 2)} ${shift}`;
        const known = groups.get(key) ?? [];
        groups.set(key, known);
        known.push(segment);
      }
    }
  });
  return new Set([...groups.values()].filter((group) => group.length >= fewest).flat());
};

/** The last line of a page where it is one text, somewhat above the margin: TeX sets page numbers there. */
const lowestLine = (flow: PageFlow | undefined): Segment[] => {
  const y = Math.max(...(flow?.segments ?? []).map((segment) => segment.y));
  const last = flow?.segments.filter((segment) => Math.abs(segment.y - y) < samePlace) ?? [];
  return flow === undefined || last.length > 1 || y < flow.height * (1 - 1.6 * margin)
    ? []
    : last.filter((one) => !isMargin(one, flow));
};

const isMargin = (segment: Segment, { height }: PageFlow): boolean =>
  segment.y < height * margin || segment.y > height * (1 - margin * 0.8);

/** A heading's font is at least this much larger than the body's. */
const headingRatio = 1.12;
const maxWords = 200_000;

/** Sizes, fonts and words of a document. */
export const documentStyle = (pages: readonly PageSegments[], outline: ReadonlyMap<string, number>): DocumentStyle => {
  const fonts = new Map<string, number>();
  const words = new Set<string>();
  const texts = pages.flatMap((page) => mainFlows(page).flatMap(({ segments }) => segments));
  for (const segment of texts) {
    fonts.set(segment.font, (fonts.get(segment.font) ?? 0) + segment.text.length);
    if (words.size < maxWords) addWords(segment.text, words);
  }
  const sizes = sizesOf(texts);
  const worded = sizesOf(texts.filter(({ text }) => /\p{L}/u.test(text)));
  const bodySize = mostCounted(sizes) ?? 0;
  const total = [...sizes.values()].reduce((sum, count) => sum + count, 0);
  const headingSizes = [...sizes]
    // A size that much of the text has is body text, not a heading.
    .filter(([size, count]) => size >= bodySize * headingRatio && count < total * 0.3 && worded.has(size))
    .map(([size]) => size)
    .sort((a, b) => b - a);
  // Beside long listings, the text is what is set in other letters.
  const proportional = mostCounted(new Map([...fonts].filter(([font]) => !font.endsWith(fixedPitch))));
  const isMuch = (fonts.get(proportional ?? "") ?? 0) >= total * 0.3;
  const bodyFont = (isMuch ? proportional : mostCounted(fonts)) ?? "";
  return { bodySize, bodyFont, headingSizes: distinct(headingSizes), outline, words };
};

/** How many characters there are of each size. */
const sizesOf = (segments: readonly Segment[]): Map<number, number> => {
  const sizes = new Map<number, number>();
  for (const { size, text } of segments) sizes.set(halfPoints(size), (sizes.get(halfPoints(size)) ?? 0) + text.length);
  return sizes;
};

/** A page's text but that in other directions of which there is little, such as a stamp on the margin. */
export const mainFlows = ({ flows }: PageSegments): PageFlow[] => {
  const most = Math.max(0, ...flows.map(({ segments }) => charactersIn(segments)));
  return flows.filter(({ segments }) => charactersIn(segments) >= minorShare * most);
};

/** Words, and compounds with their parts. A word in lower case at the start of a line may be the rest of a broken one. */
const addWords = (text: string, words: Set<string>): void => {
  const whole = text.replace(/^\p{Ll}+/u, "").toLowerCase();
  for (const { 0: word, index } of whole.matchAll(/\p{L}+(?:-\p{L}+)*/gu)) {
    // A word that ends in a hyphen may be the first part of a broken one.
    if (whole[index + word.length] === "-") continue;
    words.add(word);
    if (word.includes("-")) for (const part of word.split("-")) words.add(part);
  }
};

const halfPoints = (size: number): number => Math.round(size * 2) / 2;

/** Sizes half a point apart are the same heading; at most four levels. */
const distinct = (sizes: readonly number[]): number[] =>
  sizes.filter((size, index) => index === 0 || (sizes[index - 1] ?? 0) - size > 0.5).slice(0, 4);

/** Titles of the document's outline (its bookmarks) in comparable form, with their depth from 0. */
export const outlineDepths = (entries: readonly { title: string; depth: number }[]): Map<string, number> => {
  const depths = new Map<string, number>();
  for (const { title, depth } of entries) {
    const key = comparable(title);
    if (key.length > 1 && !depths.has(key)) depths.set(key, depth);
  }
  return depths;
};
