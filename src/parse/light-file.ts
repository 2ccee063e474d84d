import type { FileToParse } from "../../providers/contract.ts";
import { decodeText } from "./containers/charset.ts";
import type { TextKind } from "./detect/file-kind.ts";
import { detectTextKind } from "./detect/text-kind.ts";

/** Plain text of this size is read in a few milliseconds. */
const maxTextBytes = 131_072;
const maxTableBytes = 32_768;
/** Empty cells included. */
const maxTableCells = 20_000;
const binaryMarks = [
  "%PDF-",
  "PK\u0003\u0004",
  "\u00d0\u00cf\u0011\u00e0",
  "\u001f\u008b\b",
  "\0",
  "\u0089PNG",
  "\u00ff\u00d8\u00ff",
  "GIF8",
];

/** Whether a file is small and its reader takes bounded time: such a file is read in the server's process. */
export const isLightFile = (file: FileToParse): boolean => {
  if (file.bytes.length > maxTextBytes) return false;
  const head = new TextDecoder("latin1").decode(file.bytes.subarray(0, 1024));
  if (binaryMarks.some((mark) => head.includes(mark))) return false;
  const mimeType = file.mimeType?.split(";")[0]?.trim().toLowerCase() ?? null;
  const decoded = decodeText(file.bytes, file.charset ?? null);
  // Parsers of data and markup may read far before they find that it is neither.
  if (/^\s*[[{<]/.test(decoded.text)) return false;
  return decoded.isText && isLightText(decoded.text, detectTextKind(decoded.text, mimeType, file.name));
};

const isLightText = (text: string, kind: TextKind): boolean => {
  if (kind === "text" || kind === "markdown") return true;
  return (kind === "csv" || kind === "tsv") && text.length <= maxTableBytes && maxCellsOf(text) <= maxTableCells;
};

/** An upper bound: the lines, times the most cells in one of them, for any delimiter. */
const maxCellsOf = (text: string): number => {
  let lines = 1;
  let most = 1;
  let inLine = 1;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === "\n" || sign === "\r") {
      lines++;
      inLine = 1;
    } else if (",;\t|".includes(sign)) most = Math.max(most, ++inLine);
  }
  return lines * most;
};
