import type { LinkedText } from "./links.ts";
import { charactersIn, maxRowPitch, mostCounted } from "./measures.ts";
import { minorShare, type TextFlow } from "./page-text.ts";
import { comparable, type DocumentStyle } from "./paragraphs.ts";
import { buildRows, type Row } from "./rows.ts";
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
}

/** Lines repeat on at least this share of the pages, since left and right pages often differ. */
const oftenShare = 0.4;
const fewestRepeats = 3;
/** Lines are in the same place where they differ by this much, in points. */
const samePlace = 3;

/**
 * The pages without page numbers and lines that repeat: the same words in the same place and type, or numbers of pages
 * that count up there. The only words of a page stay, and so do rows of a table that reaches into a margin.
 * @returns also how many lines were left out
 */
export const withoutRunningLines = (pages: readonly PageSegments[]): { pages: PageSegments[]; left: number } => {
  const share = Math.max(2, Math.ceil(pages.length * oftenShare));
  const often = Math.max(share, Math.min(fewestRepeats, pages.length));
  const flows = pages.map((page) => page.flows[0]);
  const repeats = countPlaces(flows);
  const numbers = flows.map((flow) =>
    flow ? flow.segments.filter((one) => isMargin(one, flow) && numberOf(one.text) !== null) : [],
  );
  const counting = countingNumbers(numbers, share);
  let left = 0;
  const cleaned = pages.map((page): PageSegments => {
    const [flow, ...more] = page.flows;
    if (flow === undefined) return page;
    const isNumber = (segment: Segment) => counting.has(segment);
    const isRepeated = (segment: Segment) => isMargin(segment, flow) && repeats(segment) >= often;
    const isRunning = (segment: Segment) => isNumber(segment) || isRepeated(segment);
    if (flow.segments.every(isRunning) || !flow.segments.some(isRunning)) return page;
    const isHeader = ({ cells }: Row) => cells.every(isRunning);
    const tables = evenlySpacedRuns(flow.segments, isHeader).map((rows) => rows.flatMap((row) => row.cells));
    const inTables = new Set(tables.filter((cells) => !cells.every(isRunning)).flat());
    const segments = flow.segments.filter((segment) => inTables.has(segment) || !isRunning(segment));
    left += flow.segments.length - segments.length;
    return { ...page, flows: [{ ...flow, segments }, ...more] };
  });
  return { pages: withSlantedOnce(cleaned), left };
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
  /^[-–—|·\s]*(?:(?:page|seite|página|pagina|p|pág|pag|s|str|strana|strona|sida|side|sivu|oldal|sayfa|стр|страница|עמוד|صفحة|第)\.?\s*)?(\d{1,5})(?:\s*(?:\/|\||of|von|de|di|sur|из|z|av)\s*\d{1,5})?\s*(?:页|頁|ページ|쪽)?[-–—|·.\s]*$/iu;
const roman = /^[-–—\s]*([ivxl]{1,8})[-–—\s]*$/i;
const maxPageNumberCharacters = 40;

/** The page number that a line is, or null. */
const numberOf = (text: string): number | null => {
  if (text.length > maxPageNumberCharacters) return null;
  const digits = pageNumber.exec(text)?.[1];
  if (digits !== undefined) return Number(digits);
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

/** Headers and footers are further from the text than this many times its line spacing. */
const apart = 1.7;
const minTableRows = 3;

/**
 * Runs of evenly spaced lines whose segments are aligned with those above; a segment may continue on a line of its own.
 */
const evenlySpacedRuns = (segments: readonly Segment[], isHeader: (row: Row) => boolean): Row[][] => {
  const runs: Row[][] = [];
  let run: Row[] = [];
  // From one row to the next, without a line of one segment between them.
  let narrowest = Number.POSITIVE_INFINITY;
  for (const row of buildRows(segments)) {
    const before = run.at(-1);
    const pitch = before ? row.y - before.y : 0;
    const isNear = pitch <= Math.min(maxRowPitch * row.size, apart * narrowest);
    const above = run.findLast(isRow);
    const continues = above && isNear && !isHeader(row) && (isRow(row) ? inLine(row, above) : run.length > 1);
    if (!continues) {
      runs.push(run);
      run = isRow(row) && !isHeader(row) ? [row] : [];
      narrowest = Number.POSITIVE_INFINITY;
      continue;
    }
    // The wider gap above the second row is that below a header: the run begins after it.
    if (isRow(row) && run.length === 2 && narrowest > apart * pitch) run = run.slice(1);
    if (isRow(row) && before === above) narrowest = Math.min(narrowest, pitch);
    run.push(row);
  }
  return [...runs, run]
    .map((rows) => rows.slice(0, rows.findLastIndex(isRow) + 1))
    .filter((rows) => rows.filter(isRow).length >= minTableRows);
};

const isRow = ({ cells }: Row): boolean => cells.length > 1;

/** Whether at least two cells of the one are above cells of the other. */
const inLine = (row: Row, other: Row): boolean =>
  row.cells.filter((cell) => other.cells.some((above) => above.x0 < cell.x1 && above.x1 > cell.x0)).length > 1;

const isMargin = (segment: Segment, { height }: PageFlow): boolean =>
  segment.y < height * margin || segment.y > height * (1 - margin * 0.8);

/** A heading's font is at least this much larger than the body's. */
const headingRatio = 1.12;
const maxWords = 200_000;

/** Sizes, fonts and words of a document. */
export const documentStyle = (pages: readonly PageSegments[], outline: ReadonlyMap<string, number>): DocumentStyle => {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  const words = new Set<string>();
  for (const page of pages) {
    for (const segment of mainFlows(page).flatMap(({ segments }) => segments)) {
      const size = halfPoints(segment.size);
      sizes.set(size, (sizes.get(size) ?? 0) + segment.text.length);
      fonts.set(segment.font, (fonts.get(segment.font) ?? 0) + segment.text.length);
      if (words.size < maxWords) addWords(segment.text, words);
    }
  }
  const bodySize = mostCounted(sizes) ?? 0;
  const total = [...sizes.values()].reduce((sum, count) => sum + count, 0);
  const headingSizes = [...sizes]
    // A size that much of the text has is body text, not a heading.
    .filter(([size, count]) => size >= bodySize * headingRatio && count < total * 0.3)
    .map(([size]) => size)
    .sort((a, b) => b - a);
  return { bodySize, bodyFont: mostCounted(fonts) ?? "", headingSizes: distinct(headingSizes), outline, words };
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
