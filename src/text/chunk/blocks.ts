/** A line of a text, without its line break. Offsets are UTF-16. */
export interface Line {
  start: number;
  /** Before the line break. */
  end: number;
  /** First character that is not white space; `end` for a blank line. */
  indent: number;
}

const isBlank = (unit: number): boolean =>
  unit === 32 ||
  unit === 9 ||
  unit === 13 ||
  unit === 11 ||
  unit === 12 ||
  unit === 160 ||
  unit === 0x3000 ||
  unit === 0xfeff;

/** The lines of a text, one at a time: a large text is never held as a list of lines. */
function* linesOf(text: string): Generator<Line, void, void> {
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    let indent = start;
    while (indent < end && isBlank(text.charCodeAt(indent))) indent++;
    yield { start, end, indent };
    start = end + 1;
  }
}

export type BlockKind = "heading" | "paragraph" | "item" | "table" | "fence";

/** Lines that belong together. Each list item is a block of its own. */
export interface Block {
  kind: BlockKind;
  /** At most `maxBlockLines` lines: a longer block is split into several. */
  lines: Line[];
  /** Heading: 1 to 6. Item: how far it is indented. */
  level: number;
  /** Heading: its text. */
  title: string;
  /** This continues the block before, which was split (a long table, fence or paragraph). */
  isContinuation: boolean;
}

const maxBlockLines = 500;
/** A longer line is not taken for a heading. */
const maxHeadingCharacters = 200;

const atxHeading = /^(#{1,6})[ \t]+(\S.*?)[ \t]*#*$/;
/** As in wikis, also with spaces between the signs: `== Title ==`, `= = Title = =`. */
const wikiHeading = /^(=(?: ?=){0,5}) +([^=\s][^=]*?) +=(?: ?=){0,5}$/;
const item = /^(?:[-*+•·–▪◦‣]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])[ \t]+\S/;
const fenceMark = /^(`{3,}|~{3,})/;
const setextMark = /^(?:={2,}|-{2,})[ \t]*$/;

/** Enough of a line to classify it, however long it is. */
const headOf = (text: string, line: Line): string => text.slice(line.indent, Math.min(line.end, line.indent + 240));

const hasPipe = (text: string, line: Line): boolean => {
  const head = text.slice(line.indent, Math.min(line.end, line.indent + 2000));
  return head.startsWith("|") || head.includes(" | ");
};

/** Splits a text into headings, paragraphs, list items, tables and fenced code, line by line. */
export function* blocksOf(text: string): Generator<Block, void, void> {
  let open = null as Block | null;
  let fence = "";
  const start = (kind: BlockKind, line: Line, level = 0, title = ""): Block => ({
    kind,
    lines: [line],
    level,
    title,
    isContinuation: false,
  });
  for (const line of linesOf(text)) {
    if (open !== null && open.lines.length >= maxBlockLines) {
      yield open;
      open = { ...open, lines: [], isContinuation: true };
    }
    if (fence !== "" && open !== null) {
      open.lines.push(line);
      if (
        headOf(text, line).trimEnd() === fence ||
        (headOf(text, line).startsWith(fence) && /^[`~]+\s*$/.test(headOf(text, line)))
      ) {
        yield open;
        open = null;
        fence = "";
      }
      continue;
    }
    if (line.indent === line.end) {
      if (open !== null) yield open;
      open = null;
      continue;
    }
    const head = headOf(text, line);
    const mark = fenceMark.exec(head);
    if (mark !== null) {
      if (open !== null) yield open;
      open = start("fence", line);
      fence = mark[1] ?? "```";
      continue;
    }
    const title = head.trimEnd();
    const heading = title.length <= maxHeadingCharacters ? (atxHeading.exec(title) ?? wikiHeading.exec(title)) : null;
    if (heading !== null) {
      if (open !== null) yield open;
      yield start("heading", line, (heading[1] ?? "#").replaceAll(" ", "").length, heading[2] ?? "");
      open = null;
      continue;
    }
    const [only] = open?.lines ?? [];
    if (open?.kind === "paragraph" && open.lines.length === 1 && only !== undefined && setextMark.test(head)) {
      const title = text.slice(only.indent, only.end).trim();
      if (!open.isContinuation && title.length <= maxHeadingCharacters) {
        open.lines.push(line);
        yield { ...open, kind: "heading", level: head.startsWith("=") ? 1 : 2, title };
        open = null;
        continue;
      }
    }
    if (hasPipe(text, line)) {
      if (open?.kind === "table") open.lines.push(line);
      else {
        if (open !== null) yield open;
        open = start("table", line);
      }
      continue;
    }
    if (item.test(head)) {
      if (open !== null) yield open;
      open = start("item", line, line.indent - line.start);
      continue;
    }
    if (open !== null && open.kind !== "table") open.lines.push(line);
    else {
      if (open !== null) yield open;
      open = start("paragraph", line);
    }
  }
  if (open !== null && open.lines.length > 0) yield open;
}

const maxColumnsCharacters = 300;
const delimiterRow = /^\|?[\s:|-]+$/;

/** Number of rows in the head: two with a delimiter row, else one if there is more than one row. */
export const headRows = (text: string, lines: readonly Line[]): number => {
  const second = lines[1];
  if (second === undefined) return 0;
  return delimiterRow.test(text.slice(second.indent, Math.min(second.end, second.indent + 2000))) ? 2 : 1;
};

/** Names of the columns, as the later chunks of a long table repeat them; empty without a head. */
export const columnNames = (text: string, lines: readonly Line[], head: number): string => {
  const [line] = lines;
  if (line === undefined || head === 0) return "";
  const row = text.slice(line.indent, Math.min(line.end, line.indent + 2 * maxColumnsCharacters)).toWellFormed();
  const names = row.split("|").map((name) => name.replace(/\s+/g, " ").trim());
  return names
    .filter((name) => name !== "")
    .join(" | ")
    .slice(0, maxColumnsCharacters)
    .toWellFormed();
};
