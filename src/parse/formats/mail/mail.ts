import type { Block, Content } from "../../blocks/blocks.ts";
import { oneLine, tidyText, tidyTitle } from "../../blocks/tidy-text.ts";
import type { InnerFile, ParseContext } from "../context.ts";
import { readInnerFiles } from "../context.ts";
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
