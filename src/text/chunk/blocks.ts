import { type Line, linesOf } from "./lines.ts";

export type BlockKind = "heading" | "paragraph" | "item" | "table" | "fence";

/** A run of lines that belong together. A list is one block an item. */
export interface Block {
  kind: BlockKind;
  /** Lines of the block; at most `maxBlockLines` of them: a longer block comes in several. */
  lines: Line[];
  /** Heading: 1 to 6. Item: how far it is indented. */
  level: number;
  /** Heading: its text. */
  title: string;
  /** This goes on with the block before (a long table, fence or paragraph in several). */
  continued: boolean;
}

const maxBlockLines = 500;
/** Longest heading that is taken for one. */
const maxHeadingLength = 200;

const atxHeading = /^(#{1,6})[ \t]+(\S.*?)[ \t]*#*$/;
/** As in wikis, with one or more blanks between the signs: `== Title ==`, `= = Title = =`. */
const wikiHeading = /^(=(?: ?=){0,5}) +([^=\s][^=]*?) +=(?: ?=){0,5}$/;
const item = /^(?:[-*+•·–▪◦‣]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])[ \t]+\S/;
const fenceMark = /^(`{3,}|~{3,})/;
const setextMark = /^(?:={2,}|-{2,})[ \t]*$/;

/** Enough of a line to tell what it is: the rest of a hostile one is not looked at. */
const headOf = (text: string, line: Line): string => text.slice(line.indent, Math.min(line.end, line.indent + 240));

const hasPipe = (text: string, line: Line): boolean => {
  const head = text.slice(line.indent, Math.min(line.end, line.indent + 2000));
  return head.startsWith("|") || head.includes(" | ");
};

/** Takes a text apart into headings, paragraphs, list items, tables and fenced code, line by line. */
export function* blocksOf(text: string): Generator<Block, void, void> {
  let open = null as Block | null;
  let fence = "";
  const start = (kind: BlockKind, line: Line, level = 0, title = ""): Block => ({
    kind,
    lines: [line],
    level,
    title,
    continued: false,
  });
  for (const line of linesOf(text)) {
    if (open !== null && open.lines.length >= maxBlockLines) {
      yield open;
      open = { ...open, lines: [], continued: true };
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
    const heading = title.length <= maxHeadingLength ? (atxHeading.exec(title) ?? wikiHeading.exec(title)) : null;
    if (heading !== null) {
      if (open !== null) yield open;
      yield start("heading", line, (heading[1] ?? "#").replaceAll(" ", "").length, heading[2] ?? "");
      open = null;
      continue;
    }
    const [only] = open?.lines ?? [];
    if (open?.kind === "paragraph" && open.lines.length === 1 && only !== undefined && setextMark.test(head)) {
      const title = text.slice(only.indent, only.end).trim();
      if (!open.continued && title.length <= maxHeadingLength) {
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
