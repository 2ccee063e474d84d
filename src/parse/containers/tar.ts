import { unreadable } from "../blocks/blocks.ts";
import { decodeText } from "./charset.ts";

/** Files of an archive by name, in its order. */
interface TarFile {
  readonly names: readonly string[];
  read(name: string): Uint8Array | null;
}

const blockBytes = 512;
const maxEntries = 20_000;
/** Names as they are written out: longer ones no system takes. */
const maxNameBytes = 65_536;

/** Whether the bytes begin with a tar header: its checksum is right. */
export const isTar = (bytes: Uint8Array): boolean => {
  const header = bytes.subarray(0, blockBytes);
  if (header.length < blockBytes || header[0] === 0) return false;
  // The sum counts its own eight bytes as blanks.
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  return sum === numberAt(header, 148, 8);
};

/**
 * Opens a tar archive (POSIX ustar and pax, GNU long names). Links, devices and sparse files are left out.
 * @throws ApiError 422 `unreadable_file`
 */
export const openTar = (bytes: Uint8Array): TarFile => {
  const files = new Map<string, Uint8Array>();
  /** What the entries before a file say of it. */
  let stated: { path?: string; size?: number } = {};
  for (let at = 0, count = 0; isTar(bytes.subarray(at, at + blockBytes)); count++) {
    if (count >= maxEntries) throw unreadable(`The archive holds more than ${maxEntries} files.`);
    const header = bytes.subarray(at, at + blockBytes);
    const type = String.fromCharCode(header[156] ?? 0);
    const isNote = type === "x" || type === "L";
    const size = (isNote ? undefined : stated.size) ?? numberAt(header, 124, 12);
    const start = at + blockBytes;
    if (!(size >= 0) || start + size > bytes.length) throw unreadable("The archive is cut off or broken.");
    const data = bytes.subarray(start, start + size);
    at = start + Math.ceil(size / blockBytes) * blockBytes;
    if (type === "x") stated = { ...stated, ...paxRecords(data) };
    else if (type === "L") stated = { ...stated, path: textAt(data, 0, Math.min(size, maxNameBytes)) };
    else {
      const name = (stated.path ?? nameIn(header)).replace(/^(?:\.\/)+/, "");
      if (["\0", "0", "7"].includes(type) && name !== "" && !name.endsWith("/")) files.set(name, data);
      // Of global headers and of long names of links, nothing holds for the next file.
      if (type !== "g" && type !== "K") stated = {};
    }
  }
  return { names: [...files.keys()], read: (name) => files.get(name) ?? null };
};

/** A number in octal digits, or in base 256 where the first bit is set (GNU, for what does not fit). */
const numberAt = (header: Uint8Array, at: number, length: number): number => {
  const field = header.subarray(at, at + length);
  if (((field[0] ?? 0) & 0x80) !== 0)
    return field.reduce((value, byte, index) => value * 256 + (index === 0 ? byte & 0x7f : byte), 0);
  const digits = textAt(header, at, length).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : digits === "" ? 0 : Number.NaN;
};

const textAt = (bytes: Uint8Array, at: number, length: number): string => {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return decodeText(end < 0 ? field : field.subarray(0, end), null).text;
};

/** The name, which ustar may write in two parts. */
const nameIn = (header: Uint8Array): string => {
  const isUstar = textAt(header, 257, 5) === "ustar" && header[262] === 0;
  const folder = isUstar ? textAt(header, 345, 155) : "";
  return `${folder === "" ? "" : `${folder}/`}${textAt(header, 0, 100)}`;
};

/** `path` and `size` of pax records, each written as `<length> <key>=<value>\n`. */
const paxRecords = (data: Uint8Array): { path?: string; size?: number } => {
  const found: { path?: string; size?: number } = {};
  for (let at = 0; at < data.length; ) {
    const length = Number.parseInt(new TextDecoder("latin1").decode(data.subarray(at, at + 12)), 10);
    if (!(length > 0)) break;
    const record = new TextDecoder().decode(data.subarray(at, at + Math.min(length, maxNameBytes)));
    const [, key, value = ""] = /^\d+ ([^=]+)=(.*)\n$/s.exec(record) ?? [];
    if (key === "path") found.path = value;
    if (key === "size" && /^\d{1,15}$/.test(value)) found.size = Number(value);
    at += length;
  }
  return found;
};
