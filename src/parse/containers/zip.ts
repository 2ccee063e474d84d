import { crc32, gunzipSync, inflateRawSync } from "node:zlib";
import iconv from "iconv-lite";
import { unreadable } from "../blocks/blocks.ts";

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

/** A file of a zip archive as the archive's directory states it. */
interface ZipEntry {
  /** General purpose bits. */
  flags: number;
  /** Compression method. */
  method: number;
  packedSize: number;
  size: number;
  /** Where its local header begins. */
  offset: number;
}

const maxEntries = 20_000;
const entrySignature = 0x02014b50;
const endSignature = 0x06054b50;
const zip64LocatorSignature = 0x07064b50;
const entryBytes = 46;
const endBytes = 22;
const maxCommentBytes = 65_535;

/** The entries of the central directory by name, in its order. @throws ApiError 422 `unreadable_file` */
const readZipDirectory = (bytes: Uint8Array): Map<string, ZipEntry> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endRecord(view);
  let at = end.offset;
  const entries = new Map<string, ZipEntry>();
  for (let index = 0; index < end.count && at + entryBytes <= bytes.length; index++) {
    if (view.getUint32(at, true) !== entrySignature) break;
    if (index >= maxEntries) throw unreadable(`The archive holds more than ${maxEntries} files.`);
    const nameEnd = at + entryBytes + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const entry: ZipEntry = {
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    const extra = extraFields(bytes, nameEnd, extraEnd);
    applyZip64(entry, extra);
    entries.set(entryName(bytes.subarray(at + entryBytes, nameEnd), entry, extra), entry);
    at = extraEnd + view.getUint16(at + 32, true);
  }
  if (entries.size === 0 && end.count > 0) throw unreadable("The archive is broken: its directory cannot be read.");
  return entries;
};

/** How many entries there are and where the first begins. A comment of any length may follow the end record. */
const endRecord = (view: DataView): { count: number; offset: number } => {
  const first = Math.max(0, view.byteLength - endBytes - maxCommentBytes);
  for (let at = view.byteLength - endBytes; at >= first; at--) {
    if (view.getUint32(at, true) !== endSignature) continue;
    const count = view.getUint16(at + 10, true);
    const offset = view.getUint32(at + 16, true);
    if ((count !== 0xffff && offset !== 0xffffffff) || at < 20) return { count, offset };
    if (view.getUint32(at - 20, true) !== zip64LocatorSignature) return { count, offset };
    const zip64 = Number(view.getBigUint64(at - 12, true));
    if (zip64 + 56 > view.byteLength) break;
    return { count: Number(view.getBigUint64(zip64 + 32, true)), offset: Number(view.getBigUint64(zip64 + 48, true)) };
  }
  throw unreadable("The file is cut off or broken: it has no zip directory.");
};

/** The extra field's parts by their id. */
const extraFields = (bytes: Uint8Array, start: number, end: number): Map<number, DataView> => {
  const fields = new Map<number, DataView>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, Math.min(end, bytes.byteLength));
  for (let at = start; at + 4 <= view.byteLength; ) {
    const id = view.getUint16(at, true);
    const next = at + 4 + view.getUint16(at + 2, true);
    if (!fields.has(id) && next <= view.byteLength)
      fields.set(id, new DataView(bytes.buffer, bytes.byteOffset + at + 4, next - at - 4));
    at = next;
  }
  return fields;
};

const zip64Field = 0x0001;
const unicodePathField = 0x7075;

/** Sizes and offsets that do not fit into 32 bits stand in the extra field, in this order. */
const applyZip64 = (entry: ZipEntry, extra: ReadonlyMap<number, DataView>): void => {
  const field = extra.get(zip64Field);
  if (field === undefined) return;
  let at = 0;
  for (const key of ["size", "packedSize", "offset"] as const) {
    if (entry[key] !== 0xffffffff || at + 8 > field.byteLength) continue;
    entry[key] = Number(field.getBigUint64(at, true));
    at += 8;
  }
};

const utf8Name = 0x800;

/**
 * A name is UTF-8 where a flag or the Unicode path field says so, else code page 437 (APPNOTE, appendix D). Many
 * writers forget the flag, so bytes that are valid UTF-8 are taken for it.
 */
const entryName = (bytes: Uint8Array, { flags }: ZipEntry, extra: ReadonlyMap<number, DataView>): string => {
  if ((flags & utf8Name) !== 0) return new TextDecoder().decode(bytes);
  const stated = unicodePath(bytes, extra.get(unicodePathField));
  if (stated !== null) return stated;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return iconv.decode(Buffer.from(bytes), "cp437");
  }
};

/** Info-ZIP's Unicode path: version 1, the checksum of the name it stands for, the name in UTF-8. */
const unicodePath = (name: Uint8Array, field: DataView | undefined): string | null => {
  if (field === undefined || field.byteLength < 5 || field.getUint8(0) !== 1) return null;
  if (field.getUint32(1, true) !== crc32(name)) return null;
  return new TextDecoder().decode(new Uint8Array(field.buffer, field.byteOffset + 5, field.byteLength - 5));
};
