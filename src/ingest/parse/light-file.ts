import type { FileToParse } from "../../../providers/contract.ts";
import { decodeText } from "./detect/charset.ts";
import { detectTextKind } from "./detect/text-kind.ts";

/** So many bytes of each simple format are read in some ten milliseconds, whatever they are. */
const lightBytes: ReadonlyMap<string, number> = new Map([
  ["text", 1_048_576],
  ["markdown", 1_048_576],
  ["csv", 32_768],
  ["tsv", 32_768],
]);
const mostLightBytes = Math.max(...lightBytes.values());
const binaryMarks = ["%PDF-", "PK\u0003\u0004", "\u00d0\u00cf\u0011\u00e0", "\u0089PNG", "\u00ff\u00d8\u00ff", "GIF8"];

/** Whether a file is small and of a format whose reader cannot run away: such a file is read in the server's process. */
export function isLightFile(file: FileToParse): boolean {
  if (file.bytes.length > mostLightBytes) return false;
  const head = new TextDecoder("latin1").decode(file.bytes.subarray(0, 1024));
  if (binaryMarks.some((mark) => head.includes(mark))) return false;
  const mimeType = file.mimeType?.split(";")[0]?.trim().toLowerCase() ?? null;
  const decoded = decodeText(file.bytes, file.charset ?? null);
  if (!decoded.isText) return false;
  return file.bytes.length <= (lightBytes.get(detectTextKind(decoded.text, mimeType, file.name)) ?? -1);
}
