import { appendBlocks, type Content } from "../../blocks/blocks.ts";
import { tidyText } from "../../blocks/tidy-text.ts";
import { writeMarkdown } from "../../blocks/write-markdown.ts";
import { decodeText } from "../../containers/charset.ts";
import { type CompoundFile, openCompoundFile } from "../../containers/compound-file.ts";
import type { InnerFile, ParseContext } from "../context.ts";
import { readRtf } from "../rtf/rtf.ts";
import { mailbox, mailContent } from "./mail.ts";
import { type MessageProperties, readMessageProperties, streamName, streamProperties } from "./message-properties.ts";

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
