import type { ParsedFile } from "../../../providers/contract.ts";

/** Shorter documents are known by their file names; their first page is text like any other. */
const minPages = 5;
/** What is read of a first page. */
const maxCharacters = 400;
/** A longer line is not part of a cover but of a text. */
const maxLineCharacters = 120;
const maxLines = 12;

/**
 * What the cover of a long document says: the short lines at the top of its first page. Files are often called
 * `report_final.pdf`, and only the cover names the company and the year. Empty for texts without pages.
 */
export const coverText = (text: string, pages: ParsedFile["pages"]): string => {
  if (pages.length < minPages) return "";
  const end = Math.min(pages[1]?.start ?? 0, maxCharacters);
  const lines: string[] = [];
  for (const line of text.slice(0, end).split("\n")) {
    if (line.length > maxLineCharacters || lines.length >= maxLines) break;
    const words = line.replace(/^#{1,6} /, "").trim();
    if (words !== "") lines.push(words);
  }
  return lines.join("\n");
};
