import type { Content } from "../../blocks/blocks.ts";
import { appendBlocks } from "../../blocks/blocks.ts";
import type { ParseContext } from "../context.ts";
import { readEmail } from "./email.ts";

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
