import Papa from "papaparse";

/** The cells of a row as it stands in a text: between pipes, or parted by tabs, semicolons or commas. */
export const cellsOf = (row: string): string[] => {
  if (row.includes("|")) return pipeCells(row);
  const delimiter = row.includes("\t") ? "\t" : /;(?! )/.test(row) ? ";" : ",";
  const [cells = [row]] = Papa.parse<string[]>(row, { delimiter }).data;
  return cells.map((cell) => cell.trim());
};

/** The cells of a row of a Markdown table; `\|` is a character of a cell. */
export const pipeCells = (row: string): string[] => {
  const trimmed = row.trim();
  const inside = trimmed.slice(
    trimmed.startsWith("|") ? 1 : 0,
    trimmed.endsWith("|") && !trimmed.endsWith("\\|") ? -1 : undefined,
  );
  return inside.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
};

/** A row of a Markdown table. */
export const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

/** What names a row, then its other cells with the names of their columns: "Leith – Boats: 9". */
export const rowLine = (name: string, cells: readonly { column: string; cell: string }[]): string => {
  const told = cells.flatMap(({ column, cell }) => (cell === "" ? [] : [column === "" ? cell : `${column}: ${cell}`]));
  return [name, told.join(", ")].filter((part) => part !== "").join(" – ");
};
