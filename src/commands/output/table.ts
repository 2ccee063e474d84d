import { escapeControls } from "../../text/escape-controls.ts";

/** Columns as wide as their longest cell, two spaces between; control characters are escaped. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const lines = [head, ...rows].map((row) => row.map(escapeControls));
  const widths = head.map((_, column) => Math.max(...lines.map((row) => Bun.stringWidth(row[column] ?? ""))));
  const padded = (cell: string, column: number) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell));
  return lines.map((row) => `${row.map(padded).join("  ").trimEnd()}\n`).join("");
};
