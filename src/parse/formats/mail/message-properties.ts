import { charsetOfCodePage, decodeText } from "../../containers/charset.ts";
import type { CompoundFile } from "../../containers/compound-file.ts";

/** The properties of a message, of one inside it, or of an attachment (MS-OXMSG 2.1). Ids are those of MS-OXPROPS. */
export interface MessageProperties {
  /** A text, stored in UTF-16 or in the message's code page; empty where there is none. */
  text(id: number): string;
  binary(id: number): Uint8Array | null;
  /** The message's own charset for texts that are not UTF-16; null where it does not say. */
  readonly charset: string | null;
  /** The charset of its formatted body. */
  readonly htmlCharset: string | null;
  date(id: number): Date | null;
}

const messageCodePage = 0x3ffd;
const internetCodePage = 0x3fde;

/** Types of properties, the lower half of their tags (MS-OXCDATA 2.11.1). */
const type = { integer: 0x0003, time: 0x0040, ansi: 0x001e, unicode: 0x001f, binary: 0x0102 };

/** Before the fixed properties are counters, and 8 bytes more in the message at the top (MS-OXMSG 2.4). */
const headerBytes = { top: 32, embedded: 24 };
const fixedPropertyBytes = 16;
/** From 1601 to 1970, in milliseconds. */
const epochMs = 11_644_473_600_000;

/** @param folder path of a message, empty for the one at the top; it ends in `/` */
export const readMessageProperties = (file: CompoundFile, folder: string): MessageProperties => {
  const fixed = fixedProperties(file.read(`${folder}__properties_version1.0`), folder);
  const charsetOf = (id: number): string | null => {
    const codePage = fixed.get(tagOf(id, type.integer))?.getUint32(0, true);
    return codePage === undefined ? null : charsetOfCodePage(codePage);
  };
  const charset = charsetOf(messageCodePage);
  return {
    ...streamProperties(file, folder, charset),
    charset,
    htmlCharset: charsetOf(internetCodePage) ?? charset,
    date(id) {
      const time = fixed.get(tagOf(id, type.time))?.getBigUint64(0, true);
      // In units of 100 ns.
      return time === undefined ? null : new Date(Number(time / 10_000n) - epochMs);
    },
  };
};

/** The properties of an attachment, whose texts are in its message's charset. */
export const streamProperties = (
  file: CompoundFile,
  folder: string,
  charset: string | null,
): Pick<MessageProperties, "text" | "binary"> => {
  const stream = (id: number, kind: number) => file.read(`${folder}${streamName(id, kind)}`);
  return {
    text(id) {
      const unicode = stream(id, type.unicode);
      if (unicode) return new TextDecoder("utf-16le").decode(unicode);
      const ansi = stream(id, type.ansi);
      return ansi ? decodeText(ansi, charset).text : "";
    },
    binary: (id) => stream(id, type.binary),
  };
};

/** `__substg1.0_` and the tag in eight hexadecimal digits. */
export const streamName = (id: number, kind: number): string =>
  `__substg1.0_${tagOf(id, kind).toString(16).toUpperCase().padStart(8, "0")}`;

const tagOf = (id: number, kind: number): number => id * 0x10000 + kind;

/** The values of the properties that have a fixed length, by tag. */
const fixedProperties = (bytes: Uint8Array | null, folder: string): Map<number, DataView> => {
  const values = new Map<number, DataView>();
  if (bytes === null) return values;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = folder === "" ? headerBytes.top : headerBytes.embedded;
  for (let at = start; at + fixedPropertyBytes <= bytes.length; at += fixedPropertyBytes) {
    const tag = view.getUint32(at, true);
    if (!values.has(tag)) values.set(tag, new DataView(bytes.buffer, bytes.byteOffset + at + 8, 8));
  }
  return values;
};
