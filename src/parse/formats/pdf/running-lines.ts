import type { LinkedText } from "./links.ts";
import { maxRowPitch } from "./measures.ts";
import { buildRows, type Row } from "./rows.ts";
import type { Segment } from "./segments.ts";

/** Headers and footers are within this share of the page's height from its top or bottom. */
const margin = 0.12;
const pageNumber =
  /^(?:[-–—\s]*(?:page|seite|página|pagina|p\.?)?\s*#(?:\s*(?:\/|of|von|de|di|sur)\s*#)?[-–—\s]*|[ivxlc]{1,6})$/i;

const maxPageNumberCharacters = 100;
const isPageNumberKey = (key: string): boolean => key.length <= maxPageNumberCharacters && pageNumber.test(key);

export interface PageSegments {
  segments: Segment[];
  /** For vertical text: its position on the page rotated a quarter counterclockwise. */
  vertical: Segment[];
  links: LinkedText[];
  turned: string;
  width: number;
  height: number;
}

/**
 * Segments of every page without page numbers and repeated headers and footers. Rows of a table that reaches into a
 * margin stay, although their numbers and words look like those.
 */
export const withoutRunningLines = (pages: readonly PageSegments[]): PageSegments[] => {
  const counts = countOnPages(pages, keyOf);
  const sameTexts = countOnPages(pages, ({ text }) => text);
  // Left and right pages often differ: two fifths of the pages are enough.
  const often = Math.max(3, Math.ceil(pages.length * 0.4));
  return pages.map((page) => {
    const hasMore = page.segments.length + page.vertical.length > 1;
    const isPageNumber = (segment: Segment) => hasMore && isPageNumberKey(keyOf(segment));
    const isRunning = (segment: Segment) =>
      isMargin(segment, page.height) && ((counts.get(keyOf(segment)) ?? 0) >= often || isPageNumber(segment));
    if (!page.segments.some(isRunning)) return page;
    // Rows of a table differ in more than page numbers.
    const isHeader = ({ cells }: Row) =>
      cells.every((cell) => isRunning(cell) && ((sameTexts.get(cell.text) ?? 0) >= often || isPageNumber(cell)));
    const tables = evenlySpacedRuns(page.segments, isHeader).map((rows) => rows.flatMap((row) => row.cells));
    const inTables = new Set(tables.filter((cells) => !cells.every(isRunning)).flat());
    return { ...page, segments: page.segments.filter((segment) => inTables.has(segment) || !isRunning(segment)) };
  });
};

/** On how many pages each key is found in a margin. */
const countOnPages = (
  pages: readonly PageSegments[],
  keyOfSegment: (segment: Segment) => string,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { segments, height } of pages) {
    const keys = segments.filter((segment) => isMargin(segment, height)).map(keyOfSegment);
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
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

const isMargin = (segment: Segment, height: number): boolean =>
  segment.y < height * margin || segment.y > height * (1 - margin * 0.8);

const keyOf = (segment: Segment): string => segment.text.replace(/\d+/g, "#").trim().toLowerCase();
