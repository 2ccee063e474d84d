import Papa from "papaparse";

/** The cells of a row as it stands in a text: between pipes, or parted by tabs, semicolons or commas. */
export const cellsOf = (row: string): string[] => {
  if (row.includes("|"))
    return row
      .replace(/^\s*\|/, "")
      .replace(/\|\s*$/, "")
      .split(/(?<!\\)\|/)
      .map((cell) => cell.replaceAll("\\|", "|").trim());
  const delimiter = row.includes("\t") ? "\t" : /;(?! )/.test(row) ? ";" : ",";
  const [cells = [row]] = Papa.parse<string[]>(row, { delimiter }).data;
  return cells.map((cell) => cell.trim());
};
