import type { FileToParse } from "../../../providers/contract.ts";
import { decodeText } from "./detect/charset.ts";
import { detectTextKind } from "./detect/text-kind.ts";

/** Reading this much of a simple format takes a few milliseconds. */
const maxLightBytes = 1_048_576;
const lightKinds = new Set(["text", "markdown", "csv", "tsv"]);
const binaryMarks = ["%PDF-", "PK\u0003\u0004", "\u00d0\u00cf\u0011\u00e0", "\u0089PNG", "\u00ff\u00d8\u00ff", "GIF8"];

/** Whether a file is small and of a format whose reader cannot run away: such a file is read in the server's process. */
export function isLightFile(file: FileToParse): boolean {
  if (file.bytes.length > maxLightBytes) return false;
  const head = new TextDecoder("latin1").decode(file.bytes.subarray(0, 1024));
  if (binaryMarks.some((mark) => head.includes(mark))) return false;
  const mimeType = file.mimeType?.split(";")[0]?.trim().toLowerCase() ?? null;
  const decoded = decodeText(file.bytes, file.charset ?? null);
  return decoded.isText && lightKinds.has(detectTextKind(decoded.text, mimeType, file.name));
}
