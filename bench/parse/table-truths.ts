import { existsSync, readFileSync } from "node:fs";
import Papa from "papaparse";

/**
 * Cells of tables as somebody has published them beside a file: `NAME-str.xml` in the form of ICDAR's competition of
 * 2013 (with `NAME.pdf`; tabula-java and camelot have its 67 files among their tests), or `NAME.csv`.
 */
export const publishedCells = (path: string): string[] | null => {
  const base = path.replace(/\.\w+$/, "");
  if (existsSync(`${base}-str.xml`)) {
    const xml = readFileSync(`${base}-str.xml`, "utf8");
    return [...xml.matchAll(/<content>([^<]*)<\/content>/g)].map(([, text = ""]) => withoutEntities(text));
  }
  if (!existsSync(`${base}.csv`)) return null;
  return Papa.parse<string[]>(readFileSync(`${base}.csv`, "utf8")).data.flat();
};

const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined || hex !== undefined)
      return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
    return { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }[name as string] ?? whole;
  });

/** The cells of a text's pipe tables and HTML tables. */
export const cellsIn = (text: string): string[] => {
  const rows = text.split("\n").filter((line) => line.trimStart().startsWith("|") && !/^[\s|:-]+$/.test(line));
  const html = [...text.matchAll(/<t[dh]\b[^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = ""]) => withoutEntities(cell));
  return [...rows.flatMap((row) => row.split(/(?<!\\)\|/)), ...html];
};

/** A cell as it is compared: its letters, figures and signs; how blanks, hyphens and emphasis are written does not count. */
const comparable = (cell: string): string =>
  cell
    .replace(/<[^<>]*>|\]\([^)\s]*\)/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‐‑‒–—−]/g, "-")
    .replace(/[*_\\\s\u00ad`~^[\]]+/g, "")
    .replace(/\.{3,}$/, "");

/** F1 of a text's cells beside those of the truth, each as often as it is there. */
export const cellsF1 = (text: string, truth: readonly string[]): number => {
  const counts = new Map<string, number>();
  const wanted = truth.map(comparable).filter((cell) => cell !== "");
  for (const cell of wanted) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const given = cellsIn(text)
    .map(comparable)
    .filter((cell) => cell !== "");
  let found = 0;
  for (const cell of given) {
    const left = counts.get(cell) ?? 0;
    if (left === 0) continue;
    counts.set(cell, left - 1);
    found++;
  }
  return wanted.length + given.length === 0 ? 1 : (2 * found) / (wanted.length + given.length);
};
