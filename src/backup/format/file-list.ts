import { createYielder } from "../../async/yield.ts";
import { isStorePath } from "../../store/snapshots/clone-store.ts";
import { pieceBytes } from "./manifest.ts";
import { isDigest, journalFile } from "./names.ts";

/** A file of a backup. */
export interface ListedFile {
  /** Relative to the data directory, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of each piece, in order. */
  readonly pieces: readonly string[];
}

/** A stranger's text as it can be shown in a terminal. */
const shown = (path: string): string =>
  JSON.stringify(path.slice(0, 200)).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Foreign paths that are named. */
const maxNamed = 10;
const isDamaged = "its list of files is damaged";

/** One line of JSON for each file. */
export const encodeFileList = async (files: readonly ListedFile[], signal: AbortSignal): Promise<Uint8Array> => {
  const yieldTurn = createYielder(signal);
  const lines: Buffer[] = [];
  for (const { path, bytes, pieces } of files) {
    lines.push(Buffer.from(`${JSON.stringify({ path, bytes, pieces })}\n`));
    await yieldTurn();
  }
  return Buffer.concat(lines);
};

const decodeLine = (line: string): ListedFile | null => {
  try {
    const { path, bytes, pieces } = JSON.parse(line) as Record<string, unknown>;
    if (typeof path !== "string") return null;
    if (typeof bytes !== "number" || !Number.isSafeInteger(bytes) || bytes < 0) return null;
    if (!Array.isArray(pieces) || pieces.length !== Math.ceil(bytes / pieceBytes)) return null;
    if (!pieces.every((piece) => typeof piece === "string" && isDigest(piece))) return null;
    return { path, bytes, pieces };
  } catch {
    return null;
  }
};

/**
 * The files of a backup. Each path comes once, also on a disk that does not tell upper from lower case, none is a folder
 * of another, and all are of a store.
 * @returns as text: what is wrong with the list, naming the paths that a backup does not hold
 */
export const decodeFileList = async (bytes: Uint8Array, signal: AbortSignal): Promise<ListedFile[] | string> => {
  const yieldTurn = createYielder(signal);
  const decoder = new TextDecoder();
  const files: ListedFile[] = [];
  const foreign: string[] = [];
  const paths = new Set<string>();
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    const file = decodeLine(decoder.decode(bytes.subarray(start, end)));
    if (file === null) return isDamaged;
    const { path } = file;
    if (!isStorePath(path) && path !== journalFile) {
      if (foreign.length < maxNamed) foreign.push(shown(path));
    } else {
      if (paths.has(path.toLowerCase())) return `it holds ${shown(path)} twice`;
      paths.add(path.toLowerCase());
      files.push(file);
    }
    start = end + 1;
    await yieldTurn();
  }
  if (foreign.length > 0)
    return `it holds ${foreign.join(", ")}, which no backup of Carrel holds: somebody made it up or changed it`;
  for (const path of paths) {
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1))
      if (paths.has(path.slice(0, slash)))
        return `it holds ${shown(path.slice(0, slash))} both as a file and as a folder`;
    await yieldTurn();
  }
  return files;
};
