import type { Quotation } from "../../retrieval/contract.ts";
import { cellsOf, rowLine, tableRow } from "./cells.ts";
import { readable } from "./readable.ts";

/**
 * The answer's text: each quotation on a line of its own, with its mark; a row of a table as "Leith – Boats: 9", several rows
 * of one table as a table with its head.
 * @param names of the documents of the snippets, where several are to be told apart: "The branch has a café" says not which
 */
export const composeQuotedAnswer = (quotations: readonly Quotation[], names: readonly string[] = []): string => {
  const lines: string[] = [];
  let named = "";
  for (let at = 0; at < quotations.length; ) {
    const { text, snippet, head } = quotations[at] as Quotation;
    const mark = `[${snippet + 1}]`;
    const name = names[snippet] ?? "";
    const isOther = name !== named && !text.includes(name);
    named = name;
    if (isOther && (head !== null || isItem(text))) lines.push("", `${name}:`);
    if (head === null) {
      lines.push(`${isOther && !isItem(text) ? `${name}: ` : ""}${readable(text)} ${mark}`);
      at++;
      continue;
    }
    let end = at + 1;
    while (quotations[end]?.head === head && quotations[end]?.snippet === snippet) end++;
    const rows = quotations.slice(at, end).map((row) => cellsOf(row.text));
    const columns = cellsOf(head);
    if (rows.length > 2 && columns.length > 1) lines.push("", ...tableLines(columns, rows), "", mark);
    else lines.push(...rows.map((row) => `${rowText(columns, row)} ${mark}`));
    at = end;
  }
  return lines.join("\n").trim();
};

const isItem = (text: string): boolean => /^(?:[-*+•]|\d{1,3}[.)]) /.test(text);

const rowText = (names: readonly string[], cells: readonly string[]): string => {
  const [first = "", ...rest] = cells.map(readable);
  const areNamed = names.length === cells.length;
  return rowLine(
    first,
    rest.map((cell, at) => ({ column: areNamed ? readable(names[at + 1] ?? "") : "", cell })),
  );
};

const tableLines = (names: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  tableRow(names),
  tableRow(names.map(() => "---")),
  ...rows.map((cells) => tableRow(names.map((_, at) => cells[at] ?? ""))),
];
