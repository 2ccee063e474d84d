import { crc32 } from "node:zlib";
import iconv from "iconv-lite";
import { unreadable } from "../blocks/blocks.ts";

/** A file of a zip archive as the archive's directory states it. */
export interface ZipEntry {
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
export const readZipDirectory = (bytes: Uint8Array): Map<string, ZipEntry> => {
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
