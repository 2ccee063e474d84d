import { inflateRawSync } from "node:zlib";
import { unreadable } from "../failure.ts";

/** How many bytes may still be unpacked for one document, containers inside containers included. */
export interface UnpackBudget {
  remainingBytes: number;
}

export interface ZipFile {
  /** Names of files, folders left out, in the order of the archive. */
  readonly names: readonly string[];
  /** Unpacks one file; null where there is none of that name. @throws ApiError 422 when broken, locked or too large */
  read(name: string): Uint8Array | null;
  /** Size after unpacking as the archive states it. */
  size(name: string): number;
}

interface Entry {
  flags: number;
  method: number;
  packedSize: number;
  size: number;
  offset: number;
}

const maxEntries = 20_000;

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5) && (bytes[3] === 4 || bytes[3] === 6);

/**
 * Opens a zip archive by its central directory (APPNOTE 6.3, with Zip64). Nothing is unpacked before it is read, and
 * never more than what is left of the budget, whatever sizes the archive claims.
 * @throws ApiError 422 `unreadable_file`
 */
export const openZip = (bytes: Uint8Array, budget: UnpackBudget): ZipFile => {
  const entries = readDirectory(bytes);
  return {
    names: [...entries.keys()].filter((name) => !name.endsWith("/")),
    size: (name) => entries.get(name)?.size ?? 0,
    read(name) {
      const entry = entries.get(name);
      return entry ? unpack(bytes, name, entry, budget) : null;
    },
  };
};

const readDirectory = (bytes: Uint8Array): Map<string, Entry> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endRecord(view);
  let at = end.offset;
  const entries = new Map<string, Entry>();
  for (let index = 0; index < end.count && at + 46 <= bytes.length; index++) {
    if (view.getUint32(at, true) !== 0x02014b50) break;
    if (index >= maxEntries) throw unreadable(`The archive holds more than ${maxEntries} files.`);
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const flags = view.getUint16(at + 8, true);
    const name = entryName(bytes.subarray(at + 46, at + 46 + nameLength), (flags & 0x800) !== 0);
    const entry: Entry = {
      flags,
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    readZip64(view, at + 46 + nameLength, extraLength, entry);
    entries.set(name, entry);
    at += 46 + nameLength + extraLength + view.getUint16(at + 32, true);
  }
  if (entries.size === 0 && end.count > 0) throw unreadable("The archive is broken: its directory cannot be read.");
  return entries;
};

const endRecord = (view: DataView): { count: number; offset: number } => {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 65_535); at--) {
    if (view.getUint32(at, true) !== 0x06054b50) continue;
    const count = view.getUint16(at + 10, true);
    const offset = view.getUint32(at + 16, true);
    if ((count !== 0xffff && offset !== 0xffffffff) || at < 20) return { count, offset };
    if (view.getUint32(at - 20, true) !== 0x07064b50) return { count, offset };
    const large = Number(view.getBigUint64(at - 12, true));
    if (large + 56 > view.byteLength) break;
    return { count: Number(view.getBigUint64(large + 32, true)), offset: Number(view.getBigUint64(large + 48, true)) };
  }
  throw unreadable("The file is cut off or broken: it has no zip directory.");
};

const readZip64 = (view: DataView, start: number, length: number, entry: Entry): void => {
  for (let at = start; at + 4 <= start + length && at + 4 <= view.byteLength; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let field = at + 4;
    for (const key of ["size", "packedSize", "offset"] as const) {
      if (entry[key] !== 0xffffffff || field + 8 > view.byteLength) continue;
      entry[key] = Number(view.getBigUint64(field, true));
      field += 8;
    }
  }
};

/** Names are UTF-8 where flagged so; many writers forget the flag, and code page 437 is read as Latin-1 then. */
const entryName = (bytes: Uint8Array, isUtf8: boolean): string => {
  try {
    return new TextDecoder("utf-8", { fatal: !isUtf8 }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
};

const unpack = (bytes: Uint8Array, name: string, entry: Entry, budget: UnpackBudget): Uint8Array => {
  const shownName = name.slice(-80);
  const tooMuch = () => unreadable(`The file unpacks to more than may be held at once ("${shownName}").`);
  if ((entry.flags & 1) !== 0) throw unreadable("The file is locked with a password. Unlock it and try again.");
  if (entry.size > budget.remainingBytes) throw tooMuch();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.offset + 30 > bytes.length) throw unreadable("The archive is cut off.");
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packedSize);
  if (packed.length < entry.packedSize) throw unreadable("The archive is cut off.");
  if (entry.method !== 0 && entry.method !== 8) throw unreadable("The archive uses a compression that is not known.");
  try {
    const limit = Math.max(1, budget.remainingBytes);
    const plain = entry.method === 0 ? packed : new Uint8Array(inflateRawSync(packed, { maxOutputLength: limit }));
    budget.remainingBytes -= plain.length;
    if (budget.remainingBytes < 0) throw tooMuch();
    return plain;
  } catch (cause) {
    if (cause instanceof RangeError || (cause instanceof Error && /BUFFER_TOO_LARGE|larger than/.test(`${cause}`))) {
      throw tooMuch();
    }
    throw unreadable(`The archive is broken at "${shownName}".`, cause);
  }
};
