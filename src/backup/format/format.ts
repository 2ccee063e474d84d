import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createYielder, nextTurn } from "../../async/yield.ts";
import { isStorePath } from "../../store/snapshots/clone-store.ts";

/** Where things are in a target: docs/backup.md describes it. */

/** The folder of the pieces of files, named by the SHA-256 of their content. */
export const objectsFolder = "objects";
/** The folder of the manifests, one for each complete backup. */
export const backupsFolder = "backups";
/** The folder of the claims of those who work on the target. */
export const claimsFolder = "claims";

/** The records of backups in the data directory, which a backup may hold besides the store. */
export const journalFile = "backups.json";

const digest = /^[0-9a-f]{64}$/;

const isDigest = (text: string): boolean => digest.test(text);

export const objectName = (sha256: string): string => `${objectsFolder}/${sha256.slice(0, 2)}/${sha256}`;

/** The SHA-256 in the name of an object; null for a name of another form. */
export const digestIn = (name: string): string | null => {
  const sha256 = name.slice(name.lastIndexOf("/") + 1);
  return isDigest(sha256) && name === objectName(sha256) ? sha256 : null;
};

export const manifestName = (id: string): string => `${backupsFolder}/${id}.json`;

const manifest = /^backups\/([0-9a-f-]{36})\.json$/;

/** The id in the name of a manifest; null for a name of another form. */
export const backupIn = (name: string): string | null => manifest.exec(name)?.[1] ?? null;

/** Bytes that are hashed before other work has its turn: less than a millisecond. */
const sliceBytes = 512 * 1024;

/** Adds some bytes to a hash; other work runs meanwhile. */
export const updateDigest = async (hash: Bun.CryptoHasher, bytes: Uint8Array): Promise<void> => {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    if (start > 0) await nextTurn();
    hash.update(bytes.subarray(start, start + sliceBytes));
  }
};

/** The SHA-256 of some bytes, in hexadecimal digits; other work runs meanwhile. */
export const digestOf = async (bytes: Uint8Array): Promise<string> => {
  const hash = new Bun.CryptoHasher("sha256");
  await updateDigest(hash, bytes);
  return hash.digest("hex");
};

/** A file of a backup. */
export interface ListedFile {
  /** Relative to the data directory, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of each piece, in order. */
  readonly pieces: readonly string[];
}

/** A stranger's text as it can be shown in a terminal. */
const shownPath = (path: string): string =>
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
      if (foreign.length < maxNamed) foreign.push(shownPath(path));
    } else {
      if (paths.has(path.toLowerCase())) return `it holds ${shownPath(path)} twice`;
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
        return `it holds ${shownPath(path.slice(0, slash))} both as a file and as a folder`;
    await yieldTurn();
  }
  return files;
};

/** Raised when an older program could not read the backups. */
export const formatVersion = 1;

/**
 * A file is kept in pieces of this size: one piece is in memory for each file that is copied, and is sent in one call.
 */
export const pieceBytes = 4 * 1024 * 1024;

/** The list of files is held in memory: a million files take some 200 MB. */
const maxListBytes = 1024 * 1024 * 1024;

/** ISO 8601 in UTC: it is shown as it stands. */
const time = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" });

/** What is shown in a terminal: no control characters, and none that turn the direction of the text. */
const shown = (maxLength: number) =>
  Type.String({
    maxLength,
    pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
  });

const manifestSchema = Type.Object({
  format: Type.Literal(formatVersion),
  id: Type.String(),
  /** When the backup began, the moment whose state it holds, and when it was complete. */
  createdAt: time,
  markedAt: time,
  finishedAt: time,
  /** Version of the program. */
  version: shown(64),
  /** Names the store: a restored one keeps the name. */
  store: shown(64),
  /** Which server made it; missing in backups of earlier programs. */
  server: Type.Optional(Type.Object({ host: shown(255), dataDir: shown(4_096) })),
  documents: Type.Integer({ minimum: 0 }),
  /** All that a restore writes. */
  files: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  /** Bytes of objects that were not in the target before. */
  newBytes: Type.Integer({ minimum: 0 }),
  /** The list of files (file-list.ts), kept in pieces as files are. */
  list: Type.Object({ bytes: Type.Integer({ minimum: 0, maximum: maxListBytes }), pieces: Type.Array(Type.String()) }),
});

/** What a backup is, without its files. It is written last: a backup without a manifest is not complete. */
export type Manifest = Static<typeof manifestSchema>;

const digestOfText = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** JSON that ends with its own SHA-256. */
export const encodeManifest = (manifest: Manifest): Uint8Array =>
  new TextEncoder().encode(
    `${JSON.stringify({ ...manifest, sha256: digestOfText(JSON.stringify(manifest)) }, null, 2)}\n`,
  );

/** @returns what is wrong with it, as text, if it is not intact or of another format */
export const decodeManifest = (bytes: Uint8Array): Manifest | string => {
  const manifest = intactJson(bytes);
  if (manifest === null) return "its manifest is damaged";
  if (!("format" in manifest) || manifest.format !== formatVersion)
    return "it was made by a newer version of Carrel: restore it with that";
  if (!Value.Check(manifestSchema, manifest) || !isListWhole(manifest)) return "its manifest is damaged";
  return manifest;
};

/** The object in JSON that ends with its own SHA-256; null if it is not intact. */
const intactJson = (bytes: Uint8Array): object | null => {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value !== "object" || value === null || !("sha256" in value)) return null;
    const { sha256, ...rest } = value;
    return digestOfText(JSON.stringify(rest)) === sha256 ? rest : null;
  } catch {
    return null; // no JSON, or nested too deep to be written
  }
};

/**
 * Whether the pieces of the list of files can be it: as many as it has bytes for, and each once, since no path comes
 * twice. A small manifest then cannot have one piece read into memory again and again.
 */
const isListWhole = ({ list: { bytes, pieces } }: Manifest): boolean =>
  pieces.length === Math.ceil(bytes / pieceBytes) && new Set(pieces).size === pieces.length && pieces.every(isDigest);
