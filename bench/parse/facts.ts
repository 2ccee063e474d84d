/** What a file is known to hold, and how much of that a reader found. */

export const factKinds = ["text", "heading", "row", "note", "date", "left out"] as const;
export type FactKind = (typeof factKinds)[number];

/**
 * `text` stands anywhere; `heading` and `row` are whole lines; `note` is the text just before its mark, and `date` an
 * ISO date; what must be `left out` was deleted, hidden or repeated.
 */
export interface Fact {
  kind: FactKind;
  value: string;
}

/** Lines of Markdown that must be there, such as those of the tests, as facts. */
export const factsOfLines = (lines: readonly string[]): Fact[] =>
  lines.map((line) => {
    const heading = /^#+ (.*)$/.exec(line);
    if (heading) return { kind: "heading", value: heading[1] ?? "" };
    return line.startsWith("| ") ? { kind: "row", value: line } : { kind: "text", value: line };
  });

/** Text without marks of Markdown and HTML, addresses of links and white space that nobody sees. */
const plain = (text: string): string =>
  text
    .replace(/\]\([^)\s]*\)/g, "]")
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/\{#[^{}]*\}/g, "")
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] ?? "'")
    .replace(/\[\^[\w-]+\]:?/g, " ")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "")
    .replace(/[*_`#[\]~|]|^\s*(?:[-•>]|\d{1,3}[.)])\s+/gm, "")
    .replace(/\s+/g, " ")
    .trim();

const cellsOf = (row: string): string[] =>
  row
    .replace(/^\s*\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => plain(cell.replaceAll("\\|", "\u0001")));

const isRule = (row: string): boolean => /^[\s|:-]+$/.test(row);

interface Lines {
  text: string;
  headings: readonly string[];
  rows: readonly string[][];
}

const linesOf = (markdown: string): Lines => {
  const lines = markdown.split("\n").map((line) => line.trim());
  return {
    text: plain(markdown),
    headings: lines.filter((line) => /^#{1,6} \S/.test(line)).map((line) => plain(line.replace(/^#+ /, ""))),
    rows: lines.filter((line) => line.startsWith("|") && !isRule(line)).map(cellsOf),
  };
};

/** Numbers may be written with more or fewer zeros, empty cells do not count, and the row may go on. */
const holdsRow = (row: readonly string[], wanted: readonly string[]): boolean => {
  const filled = (cells: readonly string[]) => cells.filter((cell) => cell !== "");
  const [found, expected] = [filled(row), filled(wanted)];
  return found.some((_, start) => expected.every((cell, at) => isSameCell(found[start + at] ?? "", cell)));
};

const isSameCell = (cell: string, wanted: string): boolean =>
  cell === wanted || (cell !== "" && wanted !== "" && Number(cell) === Number(wanted));

const holds = (markdown: string, lines: Lines, { kind, value }: Fact): boolean => {
  switch (kind) {
    case "heading":
      return lines.headings.includes(plain(value));
    case "row":
      return lines.rows.some((row) => holdsRow(row, cellsOf(value)));
    case "note": {
      const at = markdown.indexOf(value);
      return at >= 0 && /^[*_\\\s]{0,4}\[\^[\w-]+\]/.test(markdown.slice(at + value.length));
    }
    case "left out":
      return !lines.text.includes(plain(value));
    default:
      return lines.text.includes(plain(value));
  }
};

export interface Findings {
  characters: number;
  headings: number;
  /** Cells of tables that are not empty. */
  cells: number;
  found: Partial<Record<FactKind, number>>;
  expected: Partial<Record<FactKind, number>>;
  missed: Fact[];
}

/** @param renderings of one reading: a fact counts where any of them shows it, the figures are of the first */
export const findings = (renderings: readonly string[], facts: readonly Fact[]): Findings => {
  const read = renderings.map((markdown) => ({ markdown, lines: linesOf(markdown) }));
  const result: Findings = {
    characters: read[0]?.lines.text.length ?? 0,
    headings: read[0]?.lines.headings.length ?? 0,
    cells: read[0]?.lines.rows.flat().filter((cell) => cell !== "").length ?? 0,
    found: {},
    expected: {},
    missed: [],
  };
  for (const fact of facts) {
    result.expected[fact.kind] = (result.expected[fact.kind] ?? 0) + 1;
    const isFound = (one: { markdown: string; lines: Lines }) => holds(one.markdown, one.lines, fact);
    if (fact.kind === "left out" ? read.every(isFound) : read.some(isFound))
      result.found[fact.kind] = (result.found[fact.kind] ?? 0) + 1;
    else result.missed.push(fact);
  }
  return result;
};
