import { createBreather } from "../../async/breathe.ts";
import { pieceBytes } from "./manifest.ts";
import { isDigest } from "./names.ts";

/** A file of a backup. */
export interface ListedFile {
  /** Relative to the data directory, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of each piece, in order. */
  readonly pieces: readonly string[];
}

/** Names of LanceDB, of files and of `secret`: none leads out of the folder that is restored to. */
const isSafePath = (path: string): boolean =>
  path.length <= 1_000 &&
  path.split("/").every((part) => /^[A-Za-z0-9._-]+$/.test(part) && part !== "." && part !== "..");

/** One line of JSON for each file. */
export const encodeFileList = async (files: readonly ListedFile[], signal: AbortSignal): Promise<Uint8Array> => {
  const breathe = createBreather(signal);
  const lines: Buffer[] = [];
  for (const { path, bytes, pieces } of files) {
    lines.push(Buffer.from(`${JSON.stringify({ path, bytes, pieces })}\n`));
    await breathe();
  }
  return Buffer.concat(lines);
};

const decodeLine = (line: string): ListedFile | null => {
  try {
    const { path, bytes, pieces } = JSON.parse(line) as Record<string, unknown>;
    if (typeof path !== "string" || !isSafePath(path)) return null;
    if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes < 0) return null;
    if (!Array.isArray(pieces) || pieces.length !== Math.ceil(bytes / pieceBytes)) return null;
    if (!pieces.every((piece) => typeof piece === "string" && isDigest(piece))) return null;
    return { path, bytes, pieces };
  } catch {
    return null;
  }
};

/** @returns null if a line is not of this form, or a path comes twice */
export const decodeFileList = async (bytes: Uint8Array, signal: AbortSignal): Promise<ListedFile[] | null> => {
  const breathe = createBreather(signal);
  const decoder = new TextDecoder();
  const files: ListedFile[] = [];
  const paths = new Set<string>();
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    const file = decodeLine(decoder.decode(bytes.subarray(start, end)));
    if (file === null || paths.has(file.path)) return null;
    paths.add(file.path);
    files.push(file);
    start = end + 1;
    await breathe();
  }
  return files;
};
