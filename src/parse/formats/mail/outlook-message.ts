import type { Content } from "../../blocks/blocks.ts";
import { writeMarkdown } from "../../blocks/write-markdown.ts";
import { type OleFile, openOle } from "../../containers/compound-file.ts";
import type { InnerFile, ParseContext } from "../../context.ts";
import { decodeText } from "../../detect/charset.ts";
import { tidyText } from "../../tidy-text.ts";
import { readRtf } from "../rtf/rtf.ts";
import { unpackRtf } from "./compressed-rtf.ts";
import { mailbox, mailContent } from "./mail.ts";

/** MAPI property ids (MS-OXPROPS). */
const id = {
  subject: "0037",
  body: "1000",
  html: "1013",
  packedRtf: "1009",
  senderName: "0C1A",
  senderAddress: "0C1F",
  senderSmtp: "5D01",
  displayTo: "0E04",
  displayCc: "0E03",
  attachmentName: "3704",
  attachmentLongName: "3707",
  attachmentData: "3701",
  attachmentType: "370E",
};
const dateIds = [0x0039, 0x0e06];
const maxAttachments = 200;
const maxEmbedded = 3;

/** An Outlook message (MS-OXMSG) with its attachments, messages inside it included. */
export const readOutlookMessage = async (bytes: Uint8Array, context: ParseContext): Promise<Content> => {
  return await readMessage(openOle(bytes), "", context, 0);
};

const readMessage = async (ole: OleFile, folder: string, context: ParseContext, depth: number): Promise<Content> => {
  const text = (property: string) => stringProperty(ole, folder, property);
  const attachments: InnerFile[] = [];
  const embedded: { name: string; content: Content }[] = [];
  for (const place of attachmentFolders(ole, folder)) {
    const name = stringProperty(ole, place, id.attachmentLongName) || stringProperty(ole, place, id.attachmentName);
    const data = ole.read(`${place}__substg1.0_${id.attachmentData}0102`);
    const inner = `${place}__substg1.0_${id.attachmentData}000D/`;
    if (data)
      attachments.push({
        bytes: data,
        name: name || null,
        mimeType: stringProperty(ole, place, id.attachmentType) || null,
      });
    else if (depth < maxEmbedded && ole.paths.some((path) => path.startsWith(inner))) {
      embedded.push({ name, content: await readMessage(ole, inner, context, depth + 1) });
    }
  }
  const html = ole.read(`${folder}__substg1.0_${id.html}0102`);
  const content = await mailContent(
    {
      subject: text(id.subject),
      from: mailbox(text(id.senderName), text(id.senderSmtp) || text(id.senderAddress)),
      to: text(id.displayTo),
      cc: text(id.displayCc),
      date: sentDate(ole, folder),
      text: text(id.body) || (await packedBody(ole, folder)),
      html: html ? decodeText(html, null).text : text(id.html),
      attachments,
    },
    context,
  );
  for (const { name, content: inner } of embedded) {
    content.blocks.push({ kind: "heading", level: 2, text: `Attachment: ${inner.title ?? (name || "message")}` });
    content.blocks.push(...inner.blocks.slice(inner.blocks[0]?.kind === "heading" ? 1 : 0));
    content.warnings.push(...inner.warnings);
  }
  return content;
};

/** The body that only stands in compressed rich text. */
const packedBody = async (ole: OleFile, folder: string): Promise<string> => {
  const packed = ole.read(`${folder}__substg1.0_${id.packedRtf}0102`);
  const rtf = packed ? unpackRtf(packed) : null;
  if (rtf === null) return "";
  return tidyText(writeMarkdown(readRtf(rtf).blocks).text);
};

const stringProperty = (ole: OleFile, folder: string, property: string): string => {
  const wide = ole.read(`${folder}__substg1.0_${property}001F`);
  if (wide) return new TextDecoder("utf-16le").decode(wide);
  const narrow = ole.read(`${folder}__substg1.0_${property}001E`);
  return narrow ? decodeText(narrow, null).text : "";
};

const attachmentFolders = (ole: OleFile, folder: string): string[] => {
  const found = new Set<string>();
  for (const path of ole.paths) {
    const inner = path.startsWith(folder) ? path.slice(folder.length) : "";
    const match = /^__attach_version1\.0_#[0-9A-F]{8}\//i.exec(inner);
    if (match) found.add(folder + match[0]);
  }
  return [...found].sort().slice(0, maxAttachments);
};

/** Sent or, failing that, delivered; a FILETIME among the fixed properties (MS-OXMSG 2.4). */
const sentDate = (ole: OleFile, folder: string): Date | null => {
  const properties = ole.read(`${folder}__properties_version1.0`);
  if (!properties) return null;
  const view = new DataView(properties.buffer, properties.byteOffset, properties.byteLength);
  for (const wanted of dateIds) {
    for (let at = folder === "" ? 32 : 24; at + 16 <= properties.length; at += 16) {
      if (view.getUint16(at, true) !== 0x0040 || view.getUint16(at + 2, true) !== wanted) continue;
      // 100 ns since 1601.
      return new Date(Number(view.getBigUint64(at + 8, true) / 10_000n) - 11_644_473_600_000);
    }
  }
  return null;
};
