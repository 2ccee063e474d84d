import { amount, columnCharacters, median } from "./measures.ts";
import { type Box, maxRuleWidth } from "./pdfium.ts";
import { buildLines } from "./rows.ts";
import { type Segment, segmentWidth } from "./segments.ts";
import { shortCellTables } from "./spanning-tables.ts";

/** A gutter is at least this many font heights wide. */
const gutterWidth = 0.9;
const minColumnLines = 4;
const maxColumnDepth = 4;
/** Lines this near to the upper or lower edge, and separated from the rest, are read before or after it. */
const marginShare = 0.08;

/** A page's regions in reading order, headers and footers first and last. */
export const pageRegions = (
  segments: readonly Segment[],
  height: number,
  isTurned = false,
  rules: readonly Box[] = [],
): Segment[][] => {
  const halves = isTurned ? null : facingPages(segments, height);
  if (halves !== null) return halves.flatMap((half) => pageRegions(half, height, false, rules));
  const top = segments.filter((segment) => segment.y < height * marginShare);
  const bottom = segments.filter((segment) => segment.y > height * (1 - marginShare));
  const edges = new Set([...top, ...bottom]);
  const middle = segments.filter((segment) => !edges.has(segment));
  const head = isApart(top, middle) ? top : [];
  const foot = isApart(middle, bottom) ? bottom : [];
  const apart = new Set([...head, ...foot]);
  const rest = segments.filter((segment) => !apart.has(segment));
  const between = columnRegions(rest, isTurned, standingLines(rules));
  return [...(head.length > 0 ? [head] : []), ...between, ...(foot.length > 0 ? [foot] : [])];
};

/** Two pages side by side on one: nothing crosses the middle, and the numbers at their outer edges count up. */
const facingPages = (segments: readonly Segment[], height: number): Segment[][] | null => {
  const from = Math.min(...segments.map(({ x0 }) => x0));
  const center = (from + Math.max(...segments.map(({ x1 }) => x1))) / 2;
  if (segments.some((segment) => crosses(segment, center))) return null;
  const halves = [true, false].map((isLeft) => segments.filter((segment) => middle(segment) < center === isLeft));
  const numbersOf = (half: readonly Segment[] = [], number: RegExp): number[] =>
    half
      .filter(({ y }) => y < height * marginShare || y > height * (1 - marginShare))
      .flatMap(({ text }) => number.exec(text)?.slice(1).map(Number) ?? []);
  const following = numbersOf(halves[1], /(?:^|\s)(\d{1,4})$/);
  const isCounted = numbersOf(halves[0], /^(\d{1,4})(?:\s|$)/).some((number) => following.includes(number + 1));
  return isCounted ? halves : null;
};

/** Whether all lines above are further from all lines below than twice the height of either's font. */
const isApart = (above: readonly Segment[], below: readonly Segment[]): boolean => {
  if (above.length === 0 || below.length === 0) return false;
  const lowest = (of: (segment: Segment) => number) => above.reduce((most, one) => Math.max(most, of(one)), -Infinity);
  const highest = (of: (segment: Segment) => number) =>
    below.reduce((least, one) => Math.min(least, of(one)), Infinity);
  return (
    highest(({ y }) => y) > lowest(({ y, size }) => y + 2 * size) &&
    highest(({ y, size }) => y - 2 * size) > lowest(({ y }) => y)
  );
};

/** A page's segments in the order its blocks are made in: region by region, each line from left to right. */
export const inReadingOrder = (segments: readonly Segment[], height: number): Segment[] =>
  pageRegions(segments, height).flatMap((region) => region.toSorted((a, b) => a.y - b.y || a.x0 - b.x0));

/**
 * Reading order: a page's segments in regions of one column each. Columns are read one after the other between the
 * lines that cross their gutter (titles, wide figures' captions) and the tables that lie over both; the cells of a
 * table are not taken for columns.
 * @param isTurned columns follow one another from right to left
 */
const columnRegions = (
  segments: readonly Segment[],
  isTurned: boolean,
  lines: readonly Box[],
  depth = 0,
): Segment[][] => {
  if (segments.length === 0) return [];
  const columns = depth < maxColumnDepth ? (findColumns(segments) ?? drawnColumns(segments, lines)) : null;
  if (columns === null) return isTurned || depth > 0 ? [[...segments]] : blocksBeside(segments);
  const { gutter, overBoth } = columns;
  const regions: Segment[][] = [];
  let left: Segment[] = [];
  let right: Segment[] = [];
  let wide: Segment[] = [];
  const closeColumns = () => {
    const [first, second] = isTurned ? [right, left] : [left, right];
    regions.push(
      ...columnRegions(first, isTurned, lines, depth + 1),
      ...columnRegions(second, isTurned, lines, depth + 1),
    );
    left = [];
    right = [];
  };
  const closeWide = () => {
    if (wide.length > 0) regions.push(wide);
    wide = [];
  };
  const sorted = [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const lone = pageNumber(sorted, gutter);
  const numberless = sorted.filter((one) => one !== lone);
  const isWide = (segment: Segment) => overBoth.has(segment) || segment === lone || crosses(segment, gutter);
  const apart = new Set([
    ...captionsBelow(sorted, isWide, gutter),
    ...titleAbove(sorted),
    ...closingLines(numberless.slice(numberless.findLastIndex(isWide) + 1), gutter),
  ]);
  for (const segment of sorted) {
    if (isWide(segment) || apart.has(segment)) {
      if (left.length + right.length > 0) closeColumns();
      wide.push(segment);
    } else {
      closeWide();
      (middle(segment) < gutter ? left : right).push(segment);
    }
  }
  closeWide();
  closeColumns();
  return regions;
};

/** Lines that stand in the middle above columns, apart from them: a centered title, authors side by side. */
const titleAbove = (sorted: readonly Segment[]): Segment[] => {
  const [from, to] = [Math.min(...sorted.map(({ x0 }) => x0)), Math.max(...sorted.map(({ x1 }) => x1))];
  const lines = buildLines(sorted);
  const rest = lines.findIndex(({ cells }) => {
    const [left, right] = [(cells[0]?.x0 ?? from) - from, to - Math.max(...cells.map(({ x1 }) => x1))];
    const isBeside = cells.length > 1 && left < centered * (to - from);
    return isBeside || Math.abs(left - right) >= 2 * centered * (to - from);
  });
  const above = lines.slice(0, Math.max(rest, 0));
  const end = above.findLastIndex(({ y, size }, index) => (lines[index + 1]?.y ?? 0) - y > 2 * size);
  return above.slice(0, end + 1).flatMap(({ cells }) => cells);
};

const centered = 0.05;

/** Lines of a caption that stand below both columns, at the edge of one, are at most so many. */
const maxCaptionLines = 3;
const captionClearance = 1.7;

/** Lines below the ends of both columns and above what lies over both, such as the title of a table. */
const captionsBelow = (
  sorted: readonly Segment[],
  isWide: (segment: Segment) => boolean,
  gutter: number,
): ReadonlySet<Segment> => {
  const captions = new Set<Segment>();
  const isBelowGap = (one: Segment, before: Segment | undefined) =>
    before !== undefined && one.y - before.y > captionClearance * one.size;
  sorted.forEach((segment, index) => {
    if (!isWide(segment)) return;
    const from = Math.max(index - maxCaptionLines, 0);
    const above = sorted
      .slice(from, index)
      .map((line, at) => ({ line, isFirst: isBelowGap(line, sorted[from + at - 1]) }))
      .filter(({ line }) => !isWide(line));
    const first = above.findLastIndex(({ isFirst }) => isFirst);
    if (first < 0) return;
    const lines = above.slice(first).map(({ line }) => line);
    const sides = new Set(lines.map((line) => middle(line) < gutter));
    if (sides.size === 1) for (const line of lines) captions.add(line);
  });
  return captions;
};

/** Lines below columns that end at one height, apart from both: an imprint, opening hours. */
const closingLines = (lines: readonly Segment[], gutter: number): Segment[] => {
  const sides = [true, false].map((isLeft) => lines.filter((line) => middle(line) < gutter === isLeft));
  return sides.flatMap((own, index) => {
    const last = sides[1 - index]?.at(-1);
    const from = own.findLastIndex(({ y, size }, at) => y - (own[at - 1]?.y ?? y) > captionClearance * size);
    const [before, first] = [own[from - 1], own[from]];
    if (last === undefined || before === undefined || first === undefined) return [];
    const isBelow = first.y - last.y > captionClearance * first.size && Math.abs(before.y - last.y) < 2.5 * before.size;
    return isBelow && from >= minColumnLines && own.length - from <= maxCaptionLines ? own.slice(from) : [];
  });
};

const middle = (segment: Segment): number => (segment.x0 + segment.x1) / 2;

const crosses = (segment: Segment, x: number): boolean => segment.x0 < x - 1 && segment.x1 > x + 1;

/** The gutter of two columns, and the cells of the tables that lie over both; null where there is none. */
const findColumns = (segments: readonly Segment[]): { gutter: number; overBoth: ReadonlySet<Segment> } | null => {
  const tables = shortCellTables(segments);
  const inTables = new Set(tables.flat());
  const text = segments.filter((segment) => !inTables.has(segment));
  const gutter = tables.length > 0 ? findGutter(text) : null;
  if (gutter !== null)
    return { gutter, overBoth: new Set(tables.filter((table) => liesOver(table, gutter, text)).flat()) };
  const without = findGutter(segments);
  return without === null ? null : { gutter: without, overBoth: new Set() };
};

/** Lines that stand alone from above to below, as between two columns; those of tables meet others. */
const standingLines = (rules: readonly Box[]): Box[] => {
  const upright = rules.filter(({ x0, x1, y0, y1 }) => x1 - x0 <= maxRuleWidth && y1 - y0 >= shortestStanding);
  if (upright.length > mostStanding) return [];
  return upright.filter(
    (one) =>
      !rules.some(
        (other) =>
          other.x1 - other.x0 > 2 * maxRuleWidth &&
          other.x0 < one.x1 + 2 &&
          other.x1 > one.x0 - 2 &&
          other.y0 < one.y1 + 2 &&
          other.y1 > one.y0 - 2,
      ),
  );
};
const shortestStanding = 50;
const mostStanding = 20;

/** Columns that a line is drawn between: nothing beside it crosses it, and few lines on one side are level with the other. */
const drawnColumns = (
  segments: readonly Segment[],
  lines: readonly Box[],
): { gutter: number; overBoth: ReadonlySet<Segment> } | null => {
  for (const { x0, x1, y0, y1 } of lines) {
    const gutter = (x0 + x1) / 2;
    const beside = segments.filter(({ y }) => y > y0 && y < y1);
    const sides = [true, false].map((isLeft) => beside.filter((one) => middle(one) < gutter === isLeft));
    const isClear = !beside.some((one) => crosses(one, gutter)) && sides.every((side) => side.length > 1);
    const [few = [], many = []] = sides.toSorted((a, b) => a.length - b.length);
    const level = few.filter(({ y, size }) => many.some((other) => Math.abs(other.y - y) < levelNear * size));
    const over = segments.filter(({ y }) => y <= y0 || y >= y1);
    if (isClear && level.length <= few.length / 2) return { gutter, overBoth: new Set(over) };
  }
  return null;
};

/** Lines of blocks are at most this many font heights apart. */
const blockPitch = 2.2;
/** So few lines are a block of their own, as beside the address of a letter. */
const fewestInBlock = 3;

/** One region, but for blocks side by side in it whose lines stand at other heights, such as those of a letter's head. */
const blocksBeside = (segments: readonly Segment[]): Segment[][] => {
  const sorted = segments.toSorted((a, b) => a.y - b.y);
  const bands: Segment[][] = [];
  for (const segment of sorted) {
    const last = bands.at(-1);
    const before = last?.at(-1);
    if (last && before && segment.y - before.y <= blockPitch * Math.max(segment.size, before.size)) last.push(segment);
    else bands.push([segment]);
  }
  const regions: Segment[][] = [];
  let isOpen = false;
  for (const band of bands) {
    const blocks = band.length <= mostInBand ? parted(band) : null;
    if (blocks !== null) regions.push(...blocks);
    else if (isOpen) regions.at(-1)?.push(...band);
    else regions.push([...band]);
    isOpen = blocks === null;
  }
  return regions;
};
const mostInBand = 40;

/** Two blocks of a band with nothing between them, lines of both of which stand at other heights, and not by one and the same. */
const parted = (band: readonly Segment[]): Segment[][] | null => {
  for (const start of new Set(band.map(({ x0 }) => x0))) {
    const [left, right] = [true, false].map((isLeft) => band.filter(({ x0 }) => x0 < start - 1 === isLeft)) as [
      Segment[],
      Segment[],
    ];
    if (Math.min(left.length, right.length) < fewestInBlock) continue;
    const size = median(band.map((one) => one.size));
    if (start - Math.max(...left.map(({ x1 }) => x1)) < 2 * size) continue;
    const areOneColumn = [left, right].every((side) => buildLines(side).every(({ cells }) => cells.length === 1));
    const apart = left.map(({ y }) => Math.min(...right.map((other) => Math.abs(other.y - y))));
    const level = apart.filter((distance) => distance < levelNear * size).length;
    const isVaried = Math.max(...apart) - Math.min(...apart) > levelNear * size;
    const areWords = [left, right].every((side) => median(side.map(segmentWidth)) >= fewestCharacters / 2);
    if (areOneColumn && isVaried && areWords && level <= mostLevel * left.length) return [left, right];
  }
  return null;
};

/** Cells that begin at the edges of both columns are of two tables side by side. */
const sameEdge = 5;

/** Whether a table stands in both columns. @param text the text in the columns */
const liesOver = (table: readonly Segment[], gutter: number, text: readonly Segment[]): boolean => {
  if (table.some((cell) => cell.x0 < gutter && cell.x1 > gutter)) return true;
  // The short last line of a text beside a table is no cell of it.
  const sides = [true, false].map((isLeft) => table.filter((cell) => middle(cell) < gutter === isLeft).length);
  if (Math.min(...sides) === 1 && Math.max(...sides) > 4) return false;
  const starts = [true, false].map((isLeft) =>
    [table, text].map((of) => Math.min(...of.filter((one) => middle(one) < gutter === isLeft).map(({ x0 }) => x0))),
  );
  return (
    starts.every(([cell = Infinity]) => cell < Infinity) &&
    !starts.every(([cell = 0, line = 0]) => Math.abs(cell - line) < sameEdge)
  );
};

/** The x of a gutter between columns of running text, or null. */
const findGutter = (all: readonly Segment[]): number | null => {
  const size = median(all.map((segment) => segment.size));
  const from = Math.min(...all.map((segment) => segment.x0));
  const to = Math.max(...all.map((segment) => segment.x1));
  const lone = pageNumber(all, (from + to) / 2);
  const segments = all.filter((one) => one !== lone);
  const width = to - from;
  let best: { x: number; crossing: number; gap: number } | null = null;
  for (const x of gutterCandidates(segments, from + width * 0.15, from + width * 0.85, size)) {
    const left = segments.filter((segment) => !crosses(segment, x) && middle(segment) < x);
    const right = segments.filter((segment) => !crosses(segment, x) && middle(segment) >= x);
    const crossing = segments.length - left.length - right.length;
    if (crossing > 0.6 * Math.min(left.length, right.length)) continue;
    const areTexts = isTextOrTables(left) && isTextOrTables(right) && (isTextColumn(left) || isTextColumn(right));
    const areBlocks = crossing <= mostOverOffset && areHeaded([left, right], size);
    const areOther = areTexts || (crossing <= mostOverOffset && areOffset(left, right));
    if (!areBlocks && (!areOther || areRows(left, right))) continue;
    const gap = nearest(right.map(({ x0 }) => x0)) + nearest(left.map(({ x1 }) => -x1));
    if (gap < gutterWidth * size) continue;
    if (best === null || crossing < best.crossing || (crossing === best.crossing && gap > best.gap)) {
      best = { x, crossing, gap };
    }
  }
  if (best === null) return null;
  // What begins between the columns, further left than most lines of the right one, is of the right one.
  const { x } = best;
  const end = Math.max(...segments.filter((one) => !crosses(one, x) && middle(one) < x).map(({ x1 }) => x1));
  return Math.min(x, ...segments.filter((one) => crosses(one, x) && one.x0 > end).map(({ x0 }) => x0));
};

/** The number of a page that stands below all else in the middle. */
const pageNumber = (segments: readonly Segment[], center: number): Segment | undefined => {
  const lowest = segments.reduce<Segment | undefined>((low, one) => (low && low.y >= one.y ? low : one), undefined);
  return lowest && /^\d{1,4}$/.test(lowest.text) && Math.abs(middle(lowest) - center) < lowest.size
    ? lowest
    : undefined;
};

/** A column of running text in which tables may stand. */
const isTextOrTables = (segments: readonly Segment[]): boolean => {
  if (isTextColumn(segments)) return true;
  const cells = new Set(segments.length > mostLines ? [] : shortCellTables(segments).flat());
  // A page of several columns is more than a text with a table in it.
  return (
    cells.size > 0 && cells.size < 0.6 * segments.length && isTextColumn(segments.filter((one) => !cells.has(one)))
  );
};

/** Of this share of the lines, the edge may reach into the gutter, as that of an italic letter does. */
const reachingShare = 0.05;

/** The place nearest to a gutter, those of the few that reach into it left out. */
const nearest = (places: readonly number[]): number =>
  places.toSorted((a, b) => a - b)[Math.floor(places.length * reachingShare)] ?? 0;

/** Just left of where segments begin: a gutter ends where the next column starts. */
const gutterCandidates = (segments: readonly Segment[], from: number, to: number, size: number): number[] => {
  const starts = new Map<number, number>();
  for (const segment of segments) {
    const place = Math.round(segment.x0);
    if (place > from && place < to) starts.set(place, (starts.get(place) ?? 0) + 1);
  }
  return [...starts]
    .filter(([, count]) => count >= 2)
    .map(([place]) => place - gutterWidth * size * 0.5)
    .slice(0, 200);
};

/** Whether the lines on either side of a gutter stand at other heights, as cells of a table never do. */
const areOffset = (left: readonly Segment[], right: readonly Segment[]): boolean => {
  const fewest = Math.min(left.length, right.length);
  if (fewest < fewestOffset || left.length + right.length > mostLines) return false;
  const [between = [], others = []] = [
    [left, right],
    [right, left],
  ].map(([own = [], other = []]) => {
    const heights = other.map(({ y }) => y);
    const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
    return own.filter(({ y }) => y >= top && y <= bottom);
  });
  const isLevel = ({ y, size }: Segment) => right.some((other) => Math.abs(other.y - y) < levelNear * size);
  if (between.length + others.length < 2 * fewestOffset || between.filter(isLevel).length > mostLevel * between.length)
    return false;
  const usual = [left, right].map((side) => median(side.map(segmentWidth)));
  return Math.min(...usual) >= fewestCharacters / 2 && Math.max(...usual) >= fewestCharacters;
};
/** Whether there are headings at several heights at the edges of both sides, as blocks side by side have them, not rows. */
const areHeaded = (sides: readonly (readonly Segment[])[], usual: number): boolean =>
  sides.every((side) => {
    const edge = Math.min(...side.map(({ x0 }) => x0));
    const atEdge = side.filter(({ x0 }) => x0 < edge + 2);
    const headings = atEdge.filter(
      ({ text, size }, index) =>
        size > headingRatio * usual &&
        /\p{L}/u.test(text) &&
        !/\p{N}/u.test(text) &&
        (atEdge[index + 1]?.size ?? size) < size,
    );
    return new Set(headings.map(({ y }) => Math.round(y))).size > 1;
  });
const headingRatio = 1.1;

/** Whether many figures on the right stand in one line with a text on the left, as those of a table's rows do. */
const areRows = (left: readonly Segment[], right: readonly Segment[]): boolean => {
  if (left.length + right.length > mostLines) return false;
  // A figure with its name beside it in the same column is of a table there.
  const hasName = ({ x0, y, size }: Segment) =>
    right.some((one) => one.x0 < x0 && Math.abs(one.y - y) < levelNear * size && /\p{L}/u.test(one.text));
  const figures = right.filter((one) => amount.test(one.text) && !hasName(one));
  const beside = figures.map(({ y, size }) => left.filter((other) => Math.abs(other.y - y) < levelNear * size).length);
  const level = beside.filter((count) => count > 0).length;
  const isEnough = level >= fewestLevel || (level > 1 && beside.every((count) => count !== 1));
  return isEnough && level >= 0.5 * figures.length && level > 0.15 * right.length;
};
const fewestLevel = 3;

/** Other pages are no letters, menus or newsletters. */
const mostLines = 600;
const fewestOffset = 6;
const fewestCharacters = 8;
const mostOverOffset = 2;
const [levelNear, mostLevel] = [0.12, 0.35];

/** Lines of running text, not cells: long enough on the whole, and several of them; of few each goes on a sentence. */
const isTextColumn = (segments: readonly Segment[]): boolean => {
  const lines = new Set(segments.map((segment) => Math.round(segment.y / Math.max(segment.size * 0.5, 1)))).size;
  if (lines < 2 || (lines < minColumnLines && !segments.slice(1).every(({ text }) => /^\p{Ll}/u.test(text))))
    return false;
  return median(segments.map(segmentWidth)) >= columnCharacters;
};
