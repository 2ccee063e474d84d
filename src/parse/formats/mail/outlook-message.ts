import { appendBlocks, type Content } from "../../blocks/blocks.ts";
import { tidyText } from "../../blocks/tidy-text.ts";
import { writeMarkdown } from "../../blocks/write-markdown.ts";
import { charsetOfCodePage, decodeText } from "../../containers/charset.ts";
import { type CompoundFile, openCompoundFile } from "../../containers/compound-file.ts";
import type { InnerFile, ParseContext } from "../context.ts";
import { readRtf } from "../rtf/rtf.ts";
import { mailbox, mailContent } from "./mail.ts";

/** The initial content of the dictionary (MS-OXRTFCP 2.1.2.1). */
const initialDictionary =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
const dictionarySize = 4096;
const maxUnpacked = 64 * 1_048_576;

/** Rich text as Outlook compresses it (MS-OXRTFCP), in Latin-1; null where it is broken. */
const decompressRtf = (packed: Uint8Array): string | null => {
  if (packed.length < 16) return null;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const size = view.getUint32(4, true);
  const kind = view.getUint32(8, true);
  const latin1 = new TextDecoder("latin1");
  if (kind === 0x414c454d) return latin1.decode(packed.subarray(16, 16 + size));
  if (kind !== 0x75465a4c || size > maxUnpacked) return null;
  const dictionary = new Uint8Array(dictionarySize).fill(0x20);
  for (let index = 0; index < initialDictionary.length; index++)
    dictionary[index] = initialDictionary.charCodeAt(index);
  let write = initialDictionary.length;
  const out: number[] = [];
  const put = (byte: number) => {
    out.push(byte);
    dictionary[write] = byte;
    write = (write + 1) % dictionarySize;
  };
  let at = 16;
  while (at < packed.length && out.length < size) {
    const control = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length && out.length < size; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(packed[at++] ?? 0);
        continue;
      }
      const reference = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
      at += 2;
      const offset = reference >> 4;
      if (offset === write) return latin1.decode(new Uint8Array(out));
      for (let step = 0; step < (reference & 0xf) + 2; step++) put(dictionary[(offset + step) % dictionarySize] ?? 0);
    }
  }
  return latin1.decode(new Uint8Array(out));
};

/** Ids of properties (MS-OXPROPS). */
const property = {
  subject: 0x0037,
  sentTime: 0x0039,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  displayCc: 0x0e03,
  displayTo: 0x0e04,
  deliveryTime: 0x0e06,
  body: 0x1000,
  compressedRtf: 0x1009,
  html: 0x1013,
  attachmentData: 0x3701,
  attachmentName: 0x3704,
  attachmentLongName: 0x3707,
  attachmentType: 0x370e,
  senderSmtp: 0x5d01,
};
/** The type of an attachment that is a message itself. */
const objectType = 0x000d;
const maxAttachments = 200;
const maxEmbeddedDepth = 3;

/** An Outlook message (MS-OXMSG) with its attachments, messages inside it included. */
export const readOutlookMessage = async (bytes: Uint8Array, context: ParseContext): Promise<Content> =>
  await readMessage(openCompoundFile(bytes), "", context, 0);

const readMessage = async (
  file: CompoundFile,
  folder: string,
  context: ParseContext,
  depth: number,
): Promise<Content> => {
  const message = readMessageProperties(file, folder);
  const attachments: InnerFile[] = [];
  const embedded: { name: string; content: Content }[] = [];
  for (const attachmentFolder of attachmentFolders(file, folder)) {
    const attachment = streamProperties(file, attachmentFolder, message.charset);
    const name = attachment.text(property.attachmentLongName) || attachment.text(property.attachmentName);
    const data = attachment.binary(property.attachmentData);
    const inner = `${attachmentFolder}${streamName(property.attachmentData, objectType)}/`;
    if (data) {
      const mimeType = attachment.text(property.attachmentType);
      attachments.push({ bytes: data, name: name || null, mimeType: mimeType || null });
    } else if (depth < maxEmbeddedDepth && file.paths.some((path) => path.startsWith(inner))) {
      embedded.push({ name, content: await readMessage(file, inner, context, depth + 1) });
    }
  }
  const { text } = message;
  const content = await mailContent(
    {
      subject: text(property.subject),
      from: mailbox(text(property.senderName), text(property.senderSmtp) || text(property.senderAddress)),
      to: text(property.displayTo),
      cc: text(property.displayCc),
      date: message.date(property.sentTime) ?? message.date(property.deliveryTime),
      text: text(property.body) || rtfBody(message),
      html: htmlBody(message),
      attachments,
    },
    context,
  );
  for (const { name, content: inner } of embedded) {
    content.blocks.push({ kind: "heading", level: 2, text: `Attachment: ${inner.title ?? (name || "message")}` });
    appendBlocks(content.blocks, inner.blocks.slice(inner.blocks[0]?.kind === "heading" ? 1 : 0));
    content.warnings.push(...inner.warnings);
  }
  return content;
};

const htmlBody = ({ binary, text, htmlCharset }: MessageProperties): string => {
  const html = binary(property.html);
  return html ? decodeText(html, htmlCharset).text : text(property.html);
};

/** The text of a body that is there only as compressed rich text. */
const rtfBody = ({ binary }: MessageProperties): string => {
  const compressed = binary(property.compressedRtf);
  const rtf = compressed ? decompressRtf(compressed) : null;
  return rtf === null ? "" : tidyText(writeMarkdown(readRtf(rtf).blocks).text);
};

const attachmentFolders = (file: CompoundFile, folder: string): string[] => {
  const found = new Set<string>();
  for (const path of file.paths) {
    const inner = path.startsWith(folder) ? path.slice(folder.length) : "";
    const match = /^__attach_version1\.0_#[0-9A-F]{8}\//i.exec(inner);
    if (match) found.add(folder + match[0]);
  }
  return [...found].sort().slice(0, maxAttachments);
};

/** The properties of a message, of one inside it, or of an attachment (MS-OXMSG 2.1). Ids are those of MS-OXPROPS. */
interface MessageProperties {
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
const readMessageProperties = (file: CompoundFile, folder: string): MessageProperties => {
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
const streamProperties = (
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
const streamName = (id: number, kind: number): string =>
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
