import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isDigest } from "./names.ts";

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
