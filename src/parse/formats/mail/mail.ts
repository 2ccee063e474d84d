import PostalMime, { type Address } from "postal-mime";
import { appendBlocks, type Block, type Content } from "../../blocks/blocks.ts";
import { oneLine, tidyText, tidyTitle } from "../../blocks/tidy-text.ts";
import { type InnerFile, type ParseContext, readInnerFiles } from "../context.ts";
import { readHtmlFragment } from "../html/html.ts";

/** A mail of any format. */
interface Mail {
  subject: string;
  from: string;
  to: string;
  cc: string;
  date: Date | null;
  text: string;
  html: string;
  attachments: InnerFile[];
}

/** A mail as its subject, sender, recipients, date, body and attachments. */
export const mailContent = async (mail: Mail, context: ParseContext): Promise<Content> => {
  const head = [
    ["From", mail.from],
    ["To", mail.to],
    ["Cc", mail.cc],
    ["Date", mail.date && Number.isFinite(mail.date.getTime()) ? mail.date.toISOString() : ""],
  ].filter(([, value]) => value !== "");
  const attached = await readInnerFiles(mail.attachments, context, { level: 2, label: "Attachment: " });
  const body = bodyBlocks(mail);
  if (body.length === 0 && attached.blocks.length === 0 && mail.subject === "") {
    return { title: null, blocks: [], warnings: attached.warnings };
  }
  return {
    title: tidyTitle(mail.subject),
    blocks: [
      { kind: "heading", level: 1, text: mail.subject },
      { kind: "paragraph", text: head.map(([name, value]) => `${name}: ${oneLine(value ?? "")}`).join("\n") },
      ...body,
      ...attached.blocks,
    ],
    warnings: attached.warnings,
  };
};

/** The formatted body where it says as much as the plain one; it has tables and links. */
const bodyBlocks = (mail: Mail): Block[] => {
  const plain: Block[] = tidyText(mail.text) === "" ? [] : [{ kind: "verbatim", text: mail.text }];
  if (mail.html.trim() === "") return plain;
  const formatted = readHtmlFragment(mail.html, null);
  return formatted.length > 0 ? formatted : plain;
};

/** `Name <address>`, or the one that is known. */
export const mailbox = (name: string | undefined, address: string | undefined): string => {
  const shownName = oneLine(name ?? "");
  const shownAddress = oneLine(address ?? "");
  if (shownName === "" || shownName === shownAddress) return shownAddress;
  return shownAddress === "" ? shownName : `${shownName} <${shownAddress}>`;
};

const maxAttachments = 200;

/**
 * An RFC 5322 mail with its attachments.
 * @param text the mail decoded, for files saved as UTF-16; mails as they were sent are read from their bytes
 */
export const readEmail = async (
  file: { bytes: Uint8Array; text: string; charset: string | null },
  context: ParseContext,
): Promise<Content> => {
  const isWide = file.charset?.startsWith("utf-16") || file.charset?.startsWith("utf-32");
  const source = isWide ? file.text.replace(/^\ufeff/, "") : file.bytes;
  const mail = await PostalMime.parse(source, { maxNestingDepth: 50 });
  const attachments = mail.attachments
    // Pictures inside the body are decoration.
    .filter((part) => !(part.related || (part.disposition === "inline" && part.mimeType.startsWith("image/"))))
    .slice(0, maxAttachments)
    .map(({ filename, mimeType, content }) => ({
      bytes: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content),
      name: filename,
      mimeType,
    }));
  return await mailContent(
    {
      subject: mail.subject ?? "",
      from: mail.from ? people([mail.from]) : "",
      to: people(mail.to ?? []),
      cc: people(mail.cc ?? []),
      date: mail.date ? new Date(mail.date) : null,
      text: mail.text ?? "",
      html: mail.html ?? "",
      attachments,
    },
    context,
  );
};

const people = (addresses: readonly Address[]): string =>
  addresses
    .flatMap((person) => ("group" in person && person.group ? person.group : [person]))
    .map((person) => mailbox(person.name, person.address))
    .filter((text) => text !== "")
    .join(", ");

const maxMails = 10_000;
const [newline, gt, from] = [0x0a, 0x3e, new TextEncoder().encode("From ")];

/** A mailbox (mbox, RFC 4155): each mail as one of its own. */
export const readMailbox = async (bytes: Uint8Array, context: ParseContext): Promise<Content> => {
  const content: Content = { title: null, blocks: [], warnings: [] };
  const mails = mailsOf(bytes);
  for (const mail of mails.slice(0, maxMails)) {
    const read = await readEmail({ bytes: mail, text: "", charset: null }, context);
    appendBlocks(content.blocks, read.blocks);
    content.warnings.push(...read.warnings);
  }
  if (mails.length > maxMails)
    content.warnings.push(`The mailbox holds more than ${maxMails} mails: the last are left out.`);
  return content;
};

const isAt = (bytes: Uint8Array, at: number): boolean => from.every((byte, index) => bytes[at + index] === byte);

/** The mails between lines that begin with `From `; a `>` that such a line of a mail was given goes. */
const mailsOf = (bytes: Uint8Array): Uint8Array[] => {
  const mails: Uint8Array[] = [];
  let kept: Uint8Array[] = [];
  let isEmptyBefore = true;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(newline, at);
    const next = end < 0 ? bytes.length : end + 1;
    if (isEmptyBefore && isAt(bytes, at)) {
      if (kept.length > 0) mails.push(Buffer.concat(kept));
      kept = [];
    } else {
      let quotes = 0;
      while (bytes[at + quotes] === gt) quotes++;
      kept.push(bytes.subarray(quotes > 0 && isAt(bytes, at + quotes) ? at + 1 : at, next));
    }
    isEmptyBefore = next - at <= 2 && (bytes[at] === newline || bytes[at] === 0x0d);
    at = next;
  }
  if (kept.length > 0) mails.push(Buffer.concat(kept));
  return mails;
};
