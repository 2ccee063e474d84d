import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isDigest } from "./names.ts";

/** Raised when an older program could not read the backups. */
export const formatVersion = 1;

/**
 * A file is kept in pieces of this size: one piece is in memory for each file that is copied, and is sent in one call.
 */
export const pieceBytes = 4 * 1024 * 1024;

const manifestSchema = Type.Object({
  format: Type.Literal(formatVersion),
  id: Type.String(),
  /** When the backup began, the moment whose state it holds, and when it was complete: ISO 8601. */
  createdAt: Type.String(),
  markedAt: Type.String(),
  finishedAt: Type.String(),
  /** Version of the program. */
  version: Type.String(),
  /** Names the store: a restored one keeps the name. */
  store: Type.String(),
  documents: Type.Integer({ minimum: 0 }),
  /** All that a restore writes. */
  files: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  /** Bytes of objects that were not in the target before. */
  newBytes: Type.Integer({ minimum: 0 }),
  /** The list of files (file-list.ts), kept in pieces as files are. */
  list: Type.Object({ bytes: Type.Integer({ minimum: 0 }), pieces: Type.Array(Type.String()) }),
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
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return "its manifest is damaged";
  }
  if (typeof value !== "object" || value === null || !("sha256" in value)) return "its manifest is damaged";
  const { sha256, ...manifest } = value;
  if (digestOfText(JSON.stringify(manifest)) !== sha256) return "its manifest is damaged";
  if (!("format" in manifest) || manifest.format !== formatVersion)
    return "it was made by a newer version of Carrel: restore it with that";
  if (!Value.Check(manifestSchema, manifest) || !manifest.list.pieces.every(isDigest)) return "its manifest is damaged";
  return manifest;
};
