import { gunzipSync, inflateRawSync } from "node:zlib";
import { unreadable } from "../blocks/blocks.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";

/** How many bytes may still be unpacked for one document, containers inside containers included. */
export interface UnpackBudget {
  remainingBytes: number;
}

export interface ZipFile {
  /** Names of files, folders left out, in the order of the archive. */
  readonly names: readonly string[];
  /**
   * Unpacks one file; null where there is none of that name.
   * @throws ApiError 422 when broken, locked or too large, and where much is unpacked again
   */
  read(name: string): Uint8Array | null;
  /** Size after unpacking as the archive states it. */
  size(name: string): number;
}

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5) && (bytes[3] === 4 || bytes[3] === 6);

/**
 * Opens a zip archive (APPNOTE 6.3, with Zip64). Files are unpacked when they are read, and never to more than their
 * claimed size or what is left of the budget.
 * @throws ApiError 422 `unreadable_file`
 */
export const openZip = (bytes: Uint8Array, budget: UnpackBudget): ZipFile => {
  const entries = readZipDirectory(bytes);
  const readBefore = new Set<string>();
  let bytesAgain = 0;
  return {
    names: [...entries.keys()].filter((name) => !name.endsWith("/")),
    size: (name) => entries.get(name)?.size ?? 0,
    read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      if (readBefore.has(name)) bytesAgain += entry.size;
      if (bytesAgain > maxBytesAgain) throw repeats(name);
      readBefore.add(name);
      return unpack(bytes, name, entry, budget);
    },
  };
};

/**
 * Books and slides may name one part a thousand times, which would be read as often. Honest files name only small parts
 * twice, such as lists of what belongs together.
 */
const maxBytesAgain = 16 * 1_048_576;

const repeats = (name: string) =>
  unreadable(`The file refers to one of its parts again and again ("${name.slice(-80)}").`);

const encrypted = 1;
const stored = 0;
const deflated = 8;
const localHeaderBytes = 30;

const unpack = (bytes: Uint8Array, name: string, entry: ZipEntry, budget: UnpackBudget): Uint8Array => {
  const shownName = name.slice(-80);
  const tooLarge = () => unreadable(`The file unpacks to more than may be held at once ("${shownName}").`);
  if ((entry.flags & encrypted) !== 0) throw unreadable("The file is locked with a password. Unlock it and try again.");
  if (entry.size > budget.remainingBytes) throw tooLarge();
  const packed = packedBytes(bytes, entry);
  if (entry.method !== stored && entry.method !== deflated)
    throw unreadable("The archive uses a compression that is not known.");
  const plain = entry.method === stored ? packed : inflate(packed, entry.size, shownName);
  budget.remainingBytes -= plain.length;
  if (budget.remainingBytes < 0) throw tooLarge();
  return plain;
};

/**
 * @param size the most it may unpack to: an archive that claims less than it holds is refused before it has taken more
 */
const inflate = (packed: Uint8Array, size: number, shownName: string): Uint8Array => {
  try {
    return new Uint8Array(inflateRawSync(packed, { maxOutputLength: Math.max(1, size) }));
  } catch (cause) {
    if (cause instanceof RangeError || /BUFFER_TOO_LARGE|larger than/.test(`${cause}`))
      throw unreadable(`The archive is broken: "${shownName}" unpacks to more than its stated size.`, cause);
    throw unreadable(`The archive is broken at "${shownName}".`, cause);
  }
};

/** An entry's bytes as the archive holds them. The local header repeats the name, with an extra field of its own. */
const packedBytes = (bytes: Uint8Array, { offset, packedSize }: ZipEntry): Uint8Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (offset + localHeaderBytes > bytes.length) throw unreadable("The archive is cut off.");
  const nameAndExtraBytes = view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const start = offset + localHeaderBytes + nameAndExtraBytes;
  const packed = bytes.subarray(start, start + packedSize);
  if (packed.length < packedSize) throw unreadable("The archive is cut off.");
  return packed;
};

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;

/** What a gzip file holds, at most what is left of the budget. @throws ApiError 422 `unreadable_file` */
export const unpackGzip = (bytes: Uint8Array, budget: UnpackBudget): Uint8Array => {
  try {
    const plain = gunzipSync(bytes, { maxOutputLength: Math.max(1, budget.remainingBytes) });
    budget.remainingBytes -= plain.length;
    return new Uint8Array(plain.buffer, plain.byteOffset, plain.length);
  } catch (cause) {
    if (cause instanceof RangeError || /BUFFER_TOO_LARGE|larger than/.test(`${cause}`))
      throw unreadable("The file unpacks to more than may be held at once.", cause);
    throw unreadable("The compressed file is cut off or broken.", cause);
  }
};

/** The name of what is inside: `notes.txt` for `notes.txt.gz`, `notes.tar` for `notes.tgz`. */
export const nameInGzip = (name: string | null): string | null =>
  name?.replace(/\.t(?:ar\.)?gz$/i, ".tar").replace(/\.gz$/i, "") ?? null;
