/** Part of a text: its first character, and the one after its last. */
export interface Range {
  start: number;
  end: number;
}

/** Signs round what is marked in a passage. They are symbols to Markdown, so emphasis beside them stays emphasis. */
export const markSigns = { begin: "␂", end: "␃" };
const anyMarked = /[␂␃]/;

const rowSigns = /^[\s:|-]+$/;
const isRow = (line: string): boolean =>
  /^ {0,3}\|/.test(line) && line.trim().length > 1 && line.trimEnd().endsWith("|");
const isDelimiter = (line: string): boolean => isRow(line) && line.includes("-") && rowSigns.test(line);
/** What makes a line a heading, an item, a quotation or a row. */
const lineSigns = /^[ \t]*(?:(?:#{1,6}|[-*+>]|\d{1,9}[.)])[ \t]+|\|[ \t]*)*/;

interface PassageOptions {
  /** Names of the columns, where the passage begins in the middle of a table. */
  columns?: readonly string[];
  /** What is marked: in the order of the text, without overlap, each within a line. */
  cited?: readonly Range[];
  /** The first character that is shown. */
  begin?: number;
}

/** Settings of a Markdown file, between lines of dashes: they are not read. */
const frontMatter = /^---\n[\w-]{1,40}:[^\n]*\n(?:[^\n]*\n){0,60}?(?:---|\.\.\.)[ \t]*\n/;

interface Line extends Range {
  text: string;
}

/** The Markdown of a passage: whole again where it begins in the middle of a table, with signs round what is marked. */
export const passageMarkdown = (text: string, { columns = [], cited = [], begin = 0 }: PassageOptions = {}): string => {
  const lines = linesOf(text);
  const from = Math.max(begin, frontMatter.exec(text)?.[0].length ?? 0);
  const first = Math.max(
    0,
    lines.findIndex(({ end }) => end >= from),
  );
  const marks = anyMarked.test(text) ? [] : cited;
  const written: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (at < first) continue;
    const isInTable = isRow(line.text);
    const startsTable = isInTable && (at === first || !isRow(lines[at - 1]?.text ?? ""));
    if (startsTable) written.push(...headOf(lines, at, columns));
    const start = at === first && !isInTable ? from : line.start;
    written.push(`${start > line.start ? "… " : ""}${withMarks(text, { start, end: line.end }, marks)}`);
  }
  return written.join("\n");
};

const linesOf = (text: string): Line[] => {
  let start = 0;
  return text.split("\n").map((line) => {
    const range = { text: line, start, end: start + line.length };
    start = range.end + 1;
    return range;
  });
};

/** The lines to put before a row, so that it is a row of a table; none where it is the head of one. */
const headOf = (lines: readonly Line[], row: number, columns: readonly string[]): string[] => {
  if (isDelimiter(lines[row + 1]?.text ?? "")) return [];
  let top = row;
  while (top > 0 && isRow(lines[top - 1]?.text ?? "")) top -= 1;
  const [head, delimiter] = [lines[top]?.text ?? "", lines[top + 1]?.text ?? ""];
  if (isDelimiter(delimiter) && top < row) return row === top + 1 ? [head] : [head, delimiter];
  const cells = (lines[row]?.text ?? "")
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/);
  const names = top === 0 && columns.length === cells.length ? columns : cells.map(() => "");
  return [
    `| ${names.map((name) => name.replaceAll("|", "\\|")).join(" | ")} |`,
    `|${cells.map(() => " --- |").join("")}`,
  ];
};

const withMarks = (text: string, { start, end }: Range, cited: readonly Range[]): string => {
  const line = text.slice(start, end);
  const body = start + (lineSigns.exec(line)?.[0].length ?? 0);
  let last = end;
  while (last > start && /[\s|]/.test(text.charAt(last - 1))) last -= 1;
  let written = "";
  let at = start;
  for (const range of cited) {
    const from = Math.max(range.start, body);
    const to = Math.min(range.end, last);
    if (from >= to || from < at) continue;
    written += `${text.slice(at, from)}${markSigns.begin}${text.slice(from, to)}${markSigns.end}`;
    at = to;
  }
  return written + text.slice(at, end);
};
