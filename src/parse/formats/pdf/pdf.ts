import type { PDFDocumentProxy } from "pdfjs-dist";
import type { ApiError } from "../../../domain/errors.ts";
import { appendBlocks } from "../../blocks/append-blocks.ts";
import type { Block, Content } from "../../blocks/blocks.ts";
import type { ParseContext } from "../../context.ts";
import { noText, tooLarge, unreadable } from "../../failure.ts";
import { textBlocks } from "../../ocr/text-blocks.ts";
import { tidyTitle } from "../../tidy-text.ts";
import { attachLinks } from "./attach-links.ts";
import { documentStyle, readOutline } from "./document-style.ts";
import { inReadingOrder, pageRegions } from "./layout.ts";
import { readLinkedTexts } from "./links.ts";
import { readPageText } from "./page-text.ts";
import { type DocumentStyle, joinTwo, readLines } from "./paragraphs.ts";
import { maxPicturePixels, openWithPdfjs } from "./pdfjs.ts";
import { readPicturePage } from "./picture-page.ts";
import { regionParts } from "./rows.ts";
import { type PageSegments, withoutRunningLines } from "./running-lines.ts";
import { buildSegments } from "./segments.ts";

/** A page with fewer characters may be a scan with a stamp. */
const minPageCharacters = 3;
const pagesBetweenCleanups = 100;

/** A PDF's text with page numbers, columns read in order, headings by font size and outline, tables as rows. */
export const readPdf = async (bytes: Uint8Array, context: ParseContext): Promise<Content> => {
  const pdf = await openPdf(bytes, context.baseUrl);
  try {
    if (pdf.numPages > context.maxPages) throw tooManyPages(pdf.numPages, context.maxPages);
    const warnings: string[] = [];
    const pictures = new Map<number, string>();
    const unread = new Map<number, ApiError>();
    const pages: PageSegments[] = [];
    const broken: number[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      context.onPage({ page: number, pages: pdf.numPages });
      const page = await readPage(pdf, number);
      if (page === null) broken.push(number);
      pages.push(page ?? { segments: [], vertical: [], links: [], turned: "", width: 0, height: 0 });
      if (number % pagesBetweenCleanups === 0) await freeMemory(pdf);
      if (page && characters(page) < minPageCharacters && context.ocr) {
        const { text, failure } = await readPicturePage(pdf, number, context.ocr);
        if (text !== "") pictures.set(number, text);
        if (failure !== null) unread.set(number, failure);
      }
    }
    const cleaned = withoutRunningLines(pages);
    const style = documentStyle(cleaned, await readOutline(pdf));
    const blocks: Block[] = [];
    const linked: { read: Block[]; page: PageSegments }[] = [];
    const empty: number[] = [];
    cleaned.forEach((page, index) => {
      const number = index + 1;
      if (index % (5 * pagesBetweenCleanups) === 0) Bun.gc(true);
      const picture = pictures.get(number);
      const read = picture ? textBlocks(picture) : pageBlocks(page, style);
      blocks.push({ kind: "page", page: number }, ...read);
      if (page.links.length > 0) linked.push({ read, page });
      if (read.length === 0 && !broken.includes(number) && !unread.has(number)) empty.push(number);
    });
    if (broken.length === pdf.numPages) throw unreadable("The PDF is broken: none of its pages can be read.");
    const [failure] = unread.values();
    if (!blocks.some((block) => block.kind !== "page")) {
      if (failure === undefined) throw noTextInPdf(context.ocr !== null, pdf.numPages);
      // Reported as "no text", so that another configured parser is tried.
      throw failure.code === "unreadable_file" ? noText(failure.message, failure) : failure;
    }
    if (broken.length > 0) warnings.push(`${pagesNamed(broken)} broken and left out.`);
    if (empty.length > 0)
      warnings.push(`${pagesNamed(empty)} without text${context.ocr ? "" : "; a picture needs OCR"}.`);
    if (failure !== undefined) warnings.push(`${pagesNamed([...unread.keys()])} not read whole. ${failure.message}`);
    if (pictures.size > 0) warnings.push(`${pagesNamed([...pictures.keys()])} read by OCR.`);
    const title = (await statedTitle(pdf)) ?? firstHeading(blocks);
    for (const { read, page } of linked) attachLinks(read, page.links, inReadingOrder(page.segments, page.height));
    return { title, blocks, warnings };
  } finally {
    await pdf.loadingTask.destroy().catch(() => {});
  }
};

const openPdf = async (bytes: Uint8Array, baseUrl: string | null): Promise<PDFDocumentProxy> => {
  try {
    return await openWithPdfjs(bytes, baseUrl);
  } catch (cause) {
    if (cause instanceof Error && cause.name === "PasswordException") {
      throw unreadable("The PDF is locked with a password. Unlock it and try again.", cause);
    }
    throw unreadable("The PDF is broken or cut off.", cause);
  }
};

const readPage = async (pdf: PDFDocumentProxy, number: number): Promise<PageSegments | null> => {
  try {
    const page = await pdf.getPage(number);
    const { runs, vertical, turned, width, height } = await readPageText(page);
    const segments = buildSegments(runs);
    const links = await readLinkedTexts(page, segments);
    page.cleanup();
    return { segments, vertical: buildSegments(vertical), links, turned, width, height };
  } catch {
    return null;
  }
};

/** pdf.js keeps the data of every page that it read, and garbage collection runs too late for large files. */
const freeMemory = async (pdf: PDFDocumentProxy): Promise<void> => {
  await pdf.cleanup();
  Bun.gc(true);
};

/** The cost of finding a page grows with the number of pages. */
const tooManyPages = (pages: number, maxPages: number) =>
  tooLarge(`The PDF has ${pages} pages, more than ${maxPages} (parser.maxPages). Split it.`);

const characters = (page: PageSegments): number =>
  [...page.segments, ...page.vertical].reduce((sum, segment) => sum + segment.text.length, 0) + page.turned.length;

const pageBlocks = (page: PageSegments, style: DocumentStyle): Block[] => {
  const blocks: Block[] = [];
  for (const region of [...pageRegions(page.segments, page.height), ...pageRegions(page.vertical, page.width)]) {
    const parts = regionParts(region);
    parts.forEach((part, index) => {
      if (part.kind === "table") {
        blocks.push({ kind: "table", rows: part.rows });
        return;
      }
      const read = readLines(part.rows, style);
      if (index === 0) joinOverColumns(blocks, read, style);
      appendBlocks(blocks, read);
    });
  }
  if (page.turned.length >= minPageCharacters) blocks.push({ kind: "paragraph", text: page.turned });
  return blocks;
};

/** Joins a paragraph that continues at the top of the next column. */
const joinOverColumns = (before: Block[], after: Block[], style: DocumentStyle): void => {
  const last = before.at(-1);
  const next = after[0];
  if (last === undefined || next?.kind !== "paragraph" || !/^\p{Ll}/u.test(next.text)) return;
  if ((last.kind !== "paragraph" && last.kind !== "item") || /[.!?:;]["”’)]?$/.test(last.text)) return;
  last.text = joinTwo(last.text, next.text, style.words);
  after.shift();
};

const noTextInPdf = (hasOcr: boolean, pages: number) =>
  noText(
    hasOcr
      ? "The PDF holds no text that can be read, and OCR found none in its pictures " +
          `(of at most ${maxPicturePixels / 1e6} megapixels).`
      : `The PDF holds no text that can be read (${pages} ${pages === 1 ? "page" : "pages"}): a scan needs OCR. ` +
          "Install the tesseract program, or set up Unstructured (parser.baseUrl).",
  );

const maxNamedPages = 20;

const pagesNamed = (numbers: readonly number[]): string => {
  const named = numbers.slice(0, maxNamedPages).join(", ");
  const more = numbers.length > maxNamedPages ? ` and ${numbers.length - maxNamedPages} more` : "";
  return `${numbers.length === 1 ? "Page" : "Pages"} ${named}${more}:`;
};

const statedTitle = async (pdf: PDFDocumentProxy): Promise<string | null> => {
  const metadata = await pdf.getMetadata().catch(() => null);
  const info: unknown = metadata?.info;
  const stated = typeof info === "object" && info !== null && "Title" in info ? info.Title : null;
  const title = typeof stated === "string" ? tidyTitle(stated) : null;
  // Many programs write the file's name there, or a placeholder.
  return title === null ||
    /\.(docx?|pdf|jpe?g|png|tex|indd|pptx?|xlsx?|dvi)$|^(untitled|microsoft word|unbenannt)/i.test(title) ||
    (/^[\w.-]+$/.test(title) && /[-_]/.test(title))
    ? null
    : title;
};

const firstHeading = (blocks: readonly Block[]): string | null => {
  const heading = blocks.slice(0, 30).find((block) => block.kind === "heading" && block.level === 1);
  return heading?.kind === "heading" ? tidyTitle(heading.text) : null;
};
