import PostalMime, { type Address } from "postal-mime";
import type { Content } from "../../blocks/blocks.ts";
import type { ParseContext } from "../context.ts";
import { mailbox, mailContent } from "./mail.ts";

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
