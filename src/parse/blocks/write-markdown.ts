import type { Block } from "./blocks.ts";
import { checkTableSize, createTableBudget } from "./grid.ts";
import { oneLine, tidyText } from "./tidy-text.ts";

/** Blocks as Markdown, and where each page begins in it. A page without text begins where the next one does. */
export const writeMarkdown = (blocks: readonly Block[]): { text: string; pages: { page: number; start: number }[] } => {
  const parts: string[] = [];
  let length = 0;
  let previous: Block | null = null;
  const pages: { page: number; start: number }[] = [];
  const waiting: number[] = [];
  for (const block of blocks) {
    if (block.kind === "page") {
      waiting.push(block.page);
      previous = null;
      continue;
    }
    const written = writeBlock(block);
    if (written === "") continue;
    const tight = block.kind === "item" && previous?.kind === "item";
    const separator = length === 0 ? "" : tight ? "\n" : "\n\n";
    parts.push(separator, written);
    length += separator.length;
    for (const page of waiting.splice(0)) pages.push({ page, start: length });
    length += written.length;
    previous = block;
  }
  for (const page of waiting) pages.push({ page, start: length });
  return { text: parts.join(""), pages };
};

const writeBlock = (block: Exclude<Block, { kind: "page" }>): string => {
  switch (block.kind) {
    case "heading": {
      const text = oneLine(block.text);
      return text === "" ? "" : `${"#".repeat(Math.min(Math.max(block.level, 1), 6))} ${text}`;
    }
    case "paragraph":
      return lines(block.text).map(withoutMarkup).join("\n");
    case "item": {
      const indent = "  ".repeat(Math.min(block.depth, 8));
      const [first, ...rest] = lines(block.text);
      if (first === undefined) return "";
      return [`${indent}${block.marker} ${first}`, ...rest.map((line) => `${indent}  ${line}`)].join("\n");
    }
    case "table":
      return writeTable(block.rows);
    case "code": {
      const text = tidyCode(block.text);
      const fence = text.includes("```") ? "~~~~" : "```";
      return text === "" ? "" : `${fence}${block.language}\n${text}\n${fence}`;
    }
    case "quote":
      return tidyText(block.text)
        .split("\n")
        .filter((line, index, all) => line !== "" || index < all.length)
        .map((line) => `> ${line}`.trimEnd())
        .join("\n")
        .replace(/^>$/, "");
    case "verbatim":
      return tidyText(block.text);
  }
};

const lines = (text: string): string[] =>
  tidyText(text)
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");

/** A paragraph must not become a heading or a code fence because of its first characters. */
const withoutMarkup = (line: string): string => line.replace(/^(?=#{1,6}\s|```|~~~)/, "\\");

const tidyCode = (text: string): string => tidyText(text.replace(/\t/g, "  "));

/** A pipe table without its empty rows and columns; one row alone is a line of its cells. */
const writeTable = (rows: readonly (readonly string[])[]): string => {
  const take = createTableBudget();
  for (const row of rows) for (const cell of row) take(cell, 1);
  const cells = rows
    .map((row) => row.map((cell) => oneLine(cell).replace(/\|/g, "\\|")))
    .filter((row) => row.some((cell) => cell !== ""));
  const width = cells.reduce((most, row) => Math.max(most, row.length), 0);
  checkTableSize(cells.length, width);
  const used = Array.from({ length: width }, (_, column) => cells.some((row) => (row[column] ?? "") !== ""));
  const full = cells.map((row) => used.flatMap((isUsed, column) => (isUsed ? [row[column] ?? ""] : [])));
  const [head, ...body] = full;
  if (head === undefined) return "";
  if (body.length === 0) return head.filter((cell) => cell !== "").join(" | ");
  const line = (row: string[]) => `| ${row.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
};
