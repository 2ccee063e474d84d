import type { Line } from "./lines.ts";

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
