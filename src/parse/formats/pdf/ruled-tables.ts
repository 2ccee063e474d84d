import { type Wide, withMergedHead } from "../../blocks/grid.ts";
import { groupNames } from "./columns.ts";
import { amount } from "./measures.ts";
import { joinLines } from "./paragraphs.ts";
import { type Box, boxAround, maxRuleWidth } from "./pdfium.ts";
import { buildRows, type Row } from "./rows.ts";
import type { Segment } from "./segments.ts";

/** A line of a table is at least this long, in points. */
const minLength = 5;
/** Lines this near are one, and touch one another. */
const near = 3;
const maxRules = 3_000;
/** Longer cells on average are frames around text. */
const maxAverageCharacters = 250;
const maxEdges = 200;

/**
 * The segments with each table whose cells are drawn with lines as one: it carries the table's rows. What stands between
 * two lines is one cell, however many lines of text it has.
 */
export const withRuledTables = (
  segments: readonly Segment[],
  rules: readonly Box[],
  words: ReadonlySet<string>,
): Segment[] => {
  let rest = [...segments];
  for (const grid of gridsOf(rules)) {
    const inside = rest.filter((segment) => isIn(segment, grid));
    const rows = inside.length < 4 ? null : rowsOf(inside, grid, words);
    if (rows === null) continue;
    const head = headAbove(rest, grid, inside);
    const taken = new Set([...inside, ...head.flatMap(({ cells }) => cells)]);
    const [first] = [...taken].sort((a, b) => a.y - b.y) as [Segment];
    const { x0, x1 } = grid.box;
    const table = head.length === 0 ? rows : [namesOf(head, grid, inside), ...rows];
    rest = [...rest.filter((segment) => !taken.has(segment)), { ...first, text: "", x0, x1, table }];
  }
  return rest.sort((a, b) => a.y - b.y || a.x0 - b.x0);
};

/** Names of columns stand at most so many lines above the lines of a table, each this many font heights from the next. */
const mostHeadLines = 3;
const headPitch = 2.2;
/** So many of the columns have a name. */
const namedShare = 0.7;

/** The lines of names close above a table whose head alone is drawn without lines, from above to below. */
const headAbove = (rest: readonly Segment[], { box, across }: Grid, inside: readonly Segment[]): Row[] => {
  const [first] = buildRows(inside);
  const above = rest.filter(
    ({ x0, x1, y, size, table }) =>
      table === undefined && y < box.y0 && y > box.y0 - mostHeadLines * headPitch * size && x1 > box.x0 && x0 < box.x1,
  );
  const lines: Row[] = [];
  let next = box.y0;
  for (const row of buildRows(above).reverse()) {
    const { cells, y, size } = row;
    if (next - y > headPitch * size) break;
    const areNames = cells.every(
      ({ x0, x1, text, font }) =>
        x0 > box.x0 - near &&
        x1 < box.x1 + near &&
        !text.includes(":") &&
        /\p{L}/u.test(text) &&
        font !== first?.cells[0]?.font,
    );
    if (!areNames) break;
    lines.unshift(row);
    next = y;
  }
  // A text alone above them is the title.
  while (lines[0]?.cells.length === 1) lines.shift();
  const named = new Set(lines.flatMap(({ cells }) => cells).flatMap((cell) => columnsUnder(cell, across)));
  return lines.length <= mostHeadLines && named.size >= namedShare * (across.length - 1) ? lines : [];
};

/** The columns that a name stands over: two where it stands about as far in each. */
const columnsUnder = ({ x0, x1 }: Segment, across: readonly number[]): number[] => {
  const middle = (x0 + x1) / 2;
  return across.slice(0, -1).flatMap((from, column) => {
    const to = across[column + 1] ?? from;
    const isNear = [from, to].some(
      (edge, side) => across[column + side * 2 - 1] !== undefined && Math.abs(edge - middle) < near,
    );
    return isNear || (middle >= from && middle < to) ? [column] : [];
  });
};

/** Names over several lines as one row: those of groups before each of their columns. */
const namesOf = (head: readonly Row[], { across }: Grid, inside: readonly Segment[]): string[] => {
  const names: string[] = across.slice(1).map(() => "");
  const spans = across.slice(0, -1).map((from, column) => ({ from, to: across[column + 1] ?? from }));
  const groups = groupNames([...head, ...buildRows(inside).slice(0, 1)], spans, []);
  for (const cell of head.flatMap(({ cells }) => cells)) {
    const group = groups.get(cell);
    names.forEach((name, column) => {
      const isOver = group
        ? column >= group.column && column <= group.lastColumn
        : columnsUnder(cell, across).includes(column);
      if (isOver) names[column] = `${name} ${cell.text}`.trim();
    });
  }
  return names;
};

/** Frames around the whole page say nothing. */
const mostFramed = 0.5;
const fewestFramed = 2;
/** Lines in a box of a chart or a tree. */
const mostInBox = 8;

/** What stands in drawn frames beside other text, such as a chart or a note, and the rest. */
export const withoutFrames = (
  segments: readonly Segment[],
  rules: readonly Box[],
): { rest: Segment[]; framed: Segment[][] } => {
  let rest = [...segments];
  const framed: { box: Box; inside: Segment[] }[] = [];
  const take = (box: Box, most: number, others: () => readonly Segment[]) => {
    const inside = rest.filter((segment) => isIn(segment, { box }));
    if (inside.length < fewestFramed || inside.length > Math.min(mostFramed * segments.length, most)) return;
    const isBeside = others().some(
      ({ x0, x1, y, table }) => table === undefined && y > box.y0 && y < box.y1 && (x1 < box.x0 || x0 > box.x1),
    );
    if (!isBeside) return;
    const taken = new Set(inside);
    rest = rest.filter((segment) => !taken.has(segment));
    framed.push({ box, inside });
  };
  for (const box of closedGrids(rules)) take(box, Number.POSITIVE_INFINITY, () => rest);
  for (const box of boxesApart(rules)) take(box, mostInBox, () => segments);
  framed.sort((a, b) => a.box.y0 - b.box.y0 || a.box.x0 - b.box.x0);
  return { rest, framed: framed.map(({ inside }) => inside) };
};

/** The outer boxes of lines that touch and close on all sides. */
const closedGrids = (rules: readonly Box[]): Box[] =>
  gridsOf(rules, 2).flatMap(({ box, lines, uprights }) => {
    const sides = [
      lines.filter(({ x0, x1, y0 }) => x1 - x0 > 0.9 * (box.x1 - box.x0) && Math.min(y0 - box.y0, box.y1 - y0) < near),
      uprights.filter(
        ({ x0, y0, y1 }) => y1 - y0 > 0.9 * (box.y1 - box.y0) && Math.min(x0 - box.x0, box.x1 - x0) < near,
      ),
    ];
    return sides.every((own) => own.length > 1) ? [box] : [];
  });

/** Boxes of four lines each, with none beside them that would make them cells, though other lines may lead to them. */
const boxesApart = (rules: readonly Box[]): Box[] => {
  const few = rules.slice(0, maxRules);
  const lines = few.filter(({ x0, x1, y0, y1 }) => x1 - x0 >= minLength && y1 - y0 <= maxRuleWidth);
  const isUpright = (x: number, top: number, bottom: number) =>
    few.some(
      ({ x0, x1, y0, y1 }) =>
        x1 - x0 <= maxRuleWidth &&
        Math.min(Math.abs(x0 - x), Math.abs(x1 - x)) < 1 &&
        Math.abs(y0 - top) < 1 &&
        Math.abs(y1 - bottom) < 1,
    );
  const boxes = [...Map.groupBy(lines, ({ x0, x1 }) => `${Math.round(x0)} ${Math.round(x1)}`).values()].flatMap(
    (level) =>
      level
        .sort((a, b) => a.y0 - b.y0)
        .flatMap((top, index): Box[] => {
          const bottom = level[index + 1];
          const { x0, x1, y0 } = top;
          if (bottom === undefined || bottom.y1 - y0 < minLength) return [];
          return [x0, x1].every((x) => isUpright(x, y0, bottom.y1)) ? [{ x0, x1, y0, y1: bottom.y1 }] : [];
        }),
  );
  const touch = (a: Box, b: Box) =>
    a !== b && a.x0 < b.x1 + near && a.x1 > b.x0 - near && a.y0 < b.y1 + near && a.y1 > b.y0 - near;
  return boxes.filter((box) => !boxes.some((other) => touch(box, other))).sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0);
};

interface Grid {
  box: Box;
  /** Where its columns and rows end, from left to right and from above to below. */
  across: number[];
  down: number[];
  /** Its horizontal and vertical lines. */
  lines: Box[];
  uprights: Box[];
}

const isIn = ({ x0, x1, y, size }: Segment, { box }: { box: Box }): boolean => {
  const [middle, height] = [(x0 + x1) / 2, y - 0.3 * size];
  return middle > box.x0 - near && middle < box.x1 + near && height > box.y0 && height < box.y1;
};

/** Lines that touch one another, as grids. */
const gridsOf = (rules: readonly Box[], fewestUprights = 3): Grid[] => {
  const lines = rules.filter(({ x0, y0, x1, y1 }) => {
    const [width, height] = [x1 - x0, y1 - y0];
    return (width <= maxRuleWidth && height >= minLength) || (height <= maxRuleWidth && width >= minLength);
  });
  if (lines.length < 4 || lines.length > maxRules) return [];
  const group = lines.map((_, index) => index);
  const find = (index: number): number => {
    let at = index;
    while (group[at] !== at) {
      group[at] = group[group[at] as number] as number;
      at = group[at] as number;
    }
    return at;
  };
  const order = lines.map((_, index) => index).sort((a, b) => (lines[a] as Box).x0 - (lines[b] as Box).x0);
  order.forEach((index, place) => {
    const one = lines[index] as Box;
    for (let next = place + 1; next < order.length; next++) {
      const other = lines[order[next] as number] as Box;
      if (other.x0 > one.x1 + near) break;
      if (other.y0 <= one.y1 + near && other.y1 >= one.y0 - near) group[find(order[next] as number)] = find(index);
    }
  });
  return [...Map.groupBy(lines, (_, index) => find(index)).values()].flatMap((cluster): Grid[] => {
    const uprights = cluster.filter(({ x0, x1 }) => x1 - x0 <= maxRuleWidth);
    const across = edges(uprights.map(({ x0, x1 }) => (x0 + x1) / 2));
    const level = cluster.filter(({ y0, y1 }) => y1 - y0 <= maxRuleWidth);
    const down = edges(level.map(({ y0, y1 }) => (y0 + y1) / 2));
    if (across.length === 0 || down.length < 2 || across.length > maxEdges || down.length > maxEdges) return [];
    const box = boxAround(cluster);
    // The outer lines may be missing.
    if ((across[0] ?? 0) - box.x0 > 2 * near) across.unshift(box.x0);
    if (box.x1 - (across.at(-1) ?? 0) > 2 * near) across.push(box.x1);
    return across.length < fewestUprights ? [] : [{ box, across, down, lines: level, uprights }];
  });
};

const edges = (places: readonly number[]): number[] => {
  const found: number[] = [];
  for (const place of [...places].sort((a, b) => a - b))
    if (place - (found.at(-1) ?? -Infinity) > near) found.push(place);
  return found;
};

/** The lines of a chart part few texts: of a table this share of the cells is filled. */
const fewestFilled = 0.2;

/** The texts of the cells; null where they are no table. */
const rowsOf = (
  segments: readonly Segment[],
  { across, down, lines: level, uprights }: Grid,
  words: ReadonlySet<string>,
): string[][] | null => {
  const columns = across.length - 1;
  // Where most lines have more texts than there are columns, the lines that are drawn do not part them all.
  const lines = buildRows(segments);
  if (lines.filter(({ cells }) => cells.length > columns).length > 0.3 * lines.length) return null;
  const bands: Segment[][][] = Array.from({ length: down.length + 1 }, () => Array.from({ length: columns }, () => []));
  for (const segment of segments) {
    const height = segment.y - 0.3 * segment.size;
    const row = down.filter((edge) => edge < height).length;
    // One over several columns stands in the first.
    const at = Math.min(segment.x0 + 0.25 * segment.size, (segment.x0 + segment.x1) / 2);
    const column = Math.min(Math.max(across.filter((edge) => edge < at).length - 1, 0), columns - 1);
    bands[row]?.[column]?.push(segment);
  }
  const wide = placeSpanning(bands, across, (edge, row) => {
    const [top, bottom] = [down[row - 1] ?? -Infinity, down[row] ?? Infinity];
    const middle = (Math.max(top, bottom - 1e3) + Math.min(bottom, top + 1e3)) / 2;
    return uprights.some(
      ({ x0, x1, y0, y1 }) => x0 - near <= edge && x1 + near >= edge && y0 <= middle && y1 >= middle,
    );
  });
  const withText = bands.filter((band) => band.some((cell) => cell.length > 0));
  const texts = withText.flat().filter((cell) => cell.length > 0).length;
  if (texts < fewestFilled * withText.length * columns) return null;
  for (let column = 0; column < columns; column++) {
    const middle = ((across[column] ?? 0) + (across[column + 1] ?? 0)) / 2;
    const isDrawn = (edge: number) =>
      level.some(({ x0, x1, y0, y1 }) => x0 <= middle && x1 >= middle && y0 - near <= edge && y1 + near >= edge);
    const edgesHere = down.flatMap((edge, index) => (isDrawn(edge) ? [index + 1] : []));
    [0, ...edgesHere].forEach((from, index) => {
      fillMerged(bands.slice(from, edgesHere[index] ?? bands.length), column, words);
    });
  }
  const parted = bands.map((band) =>
    withText.includes(band) ? apartFromNames(band).flatMap((part) => splitBand(part, words)) : [],
  );
  const rows = parted.flat();
  const filled = rows.flat().filter((cell) => cell !== "");
  const characters = filled.reduce((sum, cell) => sum + cell.length, 0);
  const isTable =
    rows.length > 1 &&
    rows.filter((row) => row.filter((cell) => cell !== "").length > 1).length > rows.length * 0.4 &&
    characters / Math.max(filled.length, 1) <= maxAverageCharacters;
  return isTable
    ? withMergedHead(
        rows,
        parted.flatMap((own, index) =>
          own.map(() => wide[index]?.filter(({ column, lastColumn }) => own.length === 1 && lastColumn > column)),
        ),
      )
    : null;
};

/**
 * Puts a text that alone stands in several columns which no line parts into the first of them.
 * @returns the columns of each such text, by its band
 */
const placeSpanning = (
  bands: Segment[][][],
  across: readonly number[],
  isParted: (edge: number, row: number) => boolean,
): Wide[][] =>
  bands.map((band, row) => {
    const starts = band.flatMap((_, column) => (column === 0 || isParted(across[column] ?? 0, row) ? [column] : []));
    return starts.flatMap((column, index): Wide[] => {
      const lastColumn = (starts[index + 1] ?? band.length) - 1;
      const own = band.slice(column, lastColumn + 1).filter((cell) => cell.length > 0);
      const [only] = own;
      if (own.length !== 1 || only === undefined) return [];
      band.fill([], column, lastColumn + 1);
      band[column] = only;
      return [{ column, lastColumn }];
    });
  });

/** The name in a cell merged over rows has at most this many lines. */
const mostLines = 6;

/** A cell merged over rows has one text, which all of them have. */
const fillMerged = (bands: Segment[][][], column: number, words: ReadonlySet<string>): void => {
  const filled = bands.filter((band) => band.some((cell) => cell.length > 0));
  const text = filled.flatMap((band) => band[column] ?? []);
  const isOneText = text.every(({ y, size }, index) => y - (text[index - 1]?.y ?? y) <= maxLeading * size);
  const [first] = text;
  // Where each row has a text of its own, the line between them is only left out.
  const isEach = filled.every((band) => (band[column]?.length ?? 0) > 0);
  if (
    isEach ||
    !text.some((segment) => /\p{L}/u.test(segment.text)) ||
    text.length > mostLines ||
    first === undefined ||
    !isOneText
  )
    return;
  const whole = { ...first, text: textOf(text, words) };
  for (const band of filled) band[column] = [{ ...whole, y: Math.min(...band.flat().map(({ y }) => y)) }];
};

/** Lines of one cell are no more than this many font heights apart, if those of others are not either. */
const maxLeading = 1.7;

/** A band in rows, each of which begins with a line that has a name in the first column and is set apart from that above. */
const apartFromNames = (band: readonly (readonly Segment[])[]): Segment[][][] => {
  const lines = buildRows(band.flat());
  const pitches = lines.slice(1).map(({ y }, index) => y - (lines[index]?.y ?? 0));
  const tightest = Math.min(...pitches);
  const names = band[0] ?? [];
  const starts = lines.flatMap(({ y, size }, index) => {
    const isApart = (pitches[index - 1] ?? 0) > Math.max(maxLeading * size, 1.4 * (pitches.length > 1 ? tightest : 0));
    return isApart && names.some((name) => Math.abs(name.y - y) < 0.5 * size) ? [y - 0.5 * size] : [];
  });
  return [Number.NEGATIVE_INFINITY, ...starts].map((start, index) =>
    band.map((cell) => cell.filter(({ y }) => y >= start && y < (starts[index] ?? Number.POSITIVE_INFINITY))),
  );
};

/** Rows that no line parts: most columns have a line of text for each. */
const splitBand = (band: readonly (readonly Segment[])[], words: ReadonlySet<string>): string[][] => {
  const lines = buildRows(band.flat());
  const filled = band.filter((cell) => cell.length > 0);
  const isLineByLine = filled.length > 1 && filled.every((cell) => buildRows(cell).length >= lines.length * 0.8);
  // Figures beside a column of names are a row each.
  const beside = band.slice(1).flatMap((cell) => cell.map(({ text }) => text));
  const mostBeside = Math.max(0, ...band.slice(1).map((cell) => buildRows(cell).length));
  const isOfFigures =
    beside.length > 2 &&
    mostBeside >= lines.length * 0.5 &&
    beside.filter((text) => amount.test(text)).length > 0.7 * beside.length;
  const isSplit = lines.length < 3 ? isLineByLine && isOfFigures : isLineByLine || isOfFigures;
  if (!isSplit) return [band.map((cell) => textOf(cell, words))];
  return lines.map(({ y, size }) =>
    band.map((cell) =>
      textOf(
        cell.filter((segment) => Math.abs(segment.y - y) <= 0.5 * size),
        words,
      ),
    ),
  );
};

const textOf = (cell: readonly Segment[], words: ReadonlySet<string>): string =>
  joinLines(
    buildRows(cell).map(({ cells }) => cells.map(({ text }) => text).join(" ")),
    words,
  );
