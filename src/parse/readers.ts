import { appendBlocks, type Content, noText, unsupported } from "./blocks/blocks.ts";
import { openTar } from "./containers/tar.ts";
import { openZip } from "./containers/zip.ts";
import type { DetectedFile } from "./detect/detect-kind.ts";
import type { FileKind } from "./detect/file-kind.ts";
import { readAsciidoc } from "./formats/asciidoc.ts";
import { readCalendar, readCards, readSubtitles } from "./formats/cards-and-calendars.ts";
import { type ParseContext, readInnerFiles } from "./formats/context.ts";
import { readDelimited, readJson, readJsonLines, readNotebook, readYaml } from "./formats/data.ts";
import { readDocx } from "./formats/docx/docx.ts";
import { readEpub } from "./formats/epub.ts";
import { readHtml } from "./formats/html/html.ts";
import { readLatex } from "./formats/latex.ts";
import { readOrg, readRest } from "./formats/light-markup.ts";
import { readEmail, readMailbox } from "./formats/mail/mail.ts";
import { readOutlookMessage } from "./formats/mail/outlook-message.ts";
import { readMarkdown, readPlainText } from "./formats/markdown.ts";
import { readOpenDocument } from "./formats/open-document/open-document.ts";
import { readPdf } from "./formats/pdf/pdf.ts";
import { readPicture } from "./formats/picture/picture.ts";
import { readPptx } from "./formats/pptx/pptx.ts";
import { readRtf } from "./formats/rtf/rtf.ts";
import { readXlsx } from "./formats/xlsx/xlsx.ts";
import { readXml } from "./formats/xml/xml.ts";

interface FileInHand {
  bytes: Uint8Array;
  /** Decoded, for text kinds; else empty. */
  text: string;
  charset: string | null;
}

type ReadFormat = (file: FileInHand, context: ParseContext) => Promise<Content> | Content;

const oldOffice =
  (name: string): ReadFormat =>
  () => {
    throw unsupported(
      `Old ${name} files cannot be read here. Save the file in the new format, or set up Unstructured ` +
        "(parser.baseUrl), which reads it.",
    );
  };

/** One reader a kind. */
const readers: Record<FileKind, ReadFormat> = {
  text: ({ text }) => readPlainText(text),
  markdown: ({ text }) => readMarkdown(text),
  html: ({ text }, { baseUrl }) => readHtml(text, baseUrl),
  csv: ({ text }) => readDelimited(text, null),
  tsv: ({ text }) => readDelimited(text, "\t"),
  json: ({ text }) => readJson(text),
  jsonl: ({ text }) => readJsonLines(text),
  yaml: ({ text }) => readYaml(text),
  xml: ({ text }, context) => readXml(text, context),
  email: readEmail,
  mailbox: ({ bytes }, context) => readMailbox(bytes, context),
  notebook: ({ text }) => readNotebook(text),
  calendar: ({ text }) => readCalendar(text),
  card: ({ text }) => readCards(text),
  subtitles: ({ text }) => readSubtitles(text),
  latex: ({ text }) => readLatex(text),
  asciidoc: ({ text }) => readAsciidoc(text),
  rest: ({ text }) => readRest(text),
  org: ({ text }) => readOrg(text),
  rtf: ({ bytes }) => readRtf(new TextDecoder("latin1").decode(bytes)),
  pdf: ({ bytes }, context) => readPdf(bytes, context),
  docx: ({ bytes }, context) => readDocx(bytes, context),
  pptx: ({ bytes }, context) => readPptx(bytes, context),
  xlsx: ({ bytes }, context) => readXlsx(bytes, context),
  odt: ({ bytes }, context) => readOpenDocument(bytes, context),
  ods: ({ bytes }, context) => readOpenDocument(bytes, context),
  odp: ({ bytes }, context) => readOpenDocument(bytes, context),
  epub: ({ bytes }, context) => readEpub(bytes, context),
  msg: ({ bytes }, context) => readOutlookMessage(bytes, context),
  zip: ({ bytes }, context) => readArchive(openZip(bytes, context.budget), context),
  tar: ({ bytes }, context) => readArchive(openTar(bytes), context),
  doc: oldOffice("Word (.doc)"),
  xls: oldOffice("Excel (.xls)"),
  ppt: oldOffice("PowerPoint (.ppt)"),
};

/** Reads a file of a known kind. @throws ApiError and whatever the formats' libraries throw */
export const readContent = async (
  detected: DetectedFile,
  bytes: Uint8Array,
  context: ParseContext,
): Promise<Content> => {
  if (detected.kind === "image") return await readPicture(bytes, detected.mimeType, context);
  return await readers[detected.kind]({ bytes, text: detected.text ?? "", charset: detected.charset }, context);
};

/** Files that operating systems add to archives. */
const isByproduct = (name: string): boolean => /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(name);

interface Archive {
  readonly names: readonly string[];
  read(name: string): Uint8Array | null;
}

/** An archive of files that can be read, each under its name; bounded in number, depth and size. */
const readArchive = async (archive: Archive, context: ParseContext): Promise<Content> => {
  const names = archive.names.filter((name) => !isByproduct(name)).sort((a, b) => a.localeCompare(b, "en"));
  const content: Content = { title: null, blocks: [], warnings: [] };
  for (const name of names) {
    const file = { bytes: archive.read(name) ?? new Uint8Array(), name, mimeType: null };
    const read = await readInnerFiles([file], context, { level: 1, label: "" });
    appendBlocks(content.blocks, read.blocks);
    content.warnings.push(...read.warnings);
  }
  if (content.blocks.length === 0) {
    throw noText(
      names.length === 0
        ? "The archive is empty."
        : `No file of the archive could be read. ${content.warnings[0] ?? ""}`.trim(),
    );
  }
  return content;
};
