import { ApiError } from "../../../domain/errors.ts";
import { appendBlocks, type Block, type Content, noText, tooLarge, unreadable } from "../../blocks/blocks.ts";
import { tidyTitle } from "../../blocks/tidy-text.ts";
import { fileProperties, titleOf } from "../../markup/file-properties.ts";
import { writePgm } from "../../ocr/tesseract.ts";
import { type ParseContext, readInnerFiles } from "../context.ts";
import { isMostlyRightToLeft } from "./bidi.ts";
import { noteTexts, readXfaForm, signatureText, typedRuns } from "./forms.ts";
import { inReadingOrder, pageRegions } from "./layout.ts";
import { attachLinks, readLinkedTexts, textIn } from "./links.ts";
import { type PageText, readPageText } from "./page-text.ts";
import { comparable, type DocumentStyle, joinTwo, readLines, textBlocks } from "./paragraphs.ts";
import { type AttachedFile, type Box, openPdfium, PasswordNeeded, type PdfDocument, type PdfPage } from "./pdfium.ts";
import { withoutFrames, withRuledTables } from "./ruled-tables.ts";
import {
  documentStyle,
  mainFlows,
  outlineDepths,
  type PageFlow,
  type PageSegments,
  withoutRunningLines,
} from "./running-lines.ts";
import { buildSegments } from "./segments.ts";
import { regionParts } from "./tables.ts";

/** A page with fewer characters has no text of its own. */
const minPageCharacters = 3;
/** A page that a picture covers to this share, with fewer characters than this, is a scan with a stamp or a header. */
const scanShare = 0.5;
const maxStampCharacters = 250;
/** Where this share of the letters has no meaning, the text is worth nothing. */
const garbledShare = 0.3;
const pagesBetweenCollections = 100;

/** What is known of the pages while they are read, by their numbers. */
interface Findings {
  broken: number[];
  /** Pages with pictures that were not read, for want of OCR. */
  pictured: number[];
  byOcr: Map<number, string>;
  failures: Map<number, ApiError>;
  /** Words that OCR was unsure of, and all of the page. */
  unsure: Map<number, { unsure: number; words: number }>;
  /** Pages whose hidden text, of a scanner's OCR, looks misread, and was not read anew. */
  misread: number[];
  /** On how many pages OCR was tried. */
  tried: number;
  /** Characters whose font does not say what they mean. */
  unknown: Map<number, number>;
}

const emptyPage: PageSegments = { flows: [], links: [], slanted: "", notes: [] };

/**
 * A PDF's text with page numbers, columns read in order, headings by font size and outline, tables as rows; values of
 * forms, notes and attached files.
 */
export const readPdf = async (bytes: Uint8Array, context: ParseContext): Promise<Content> => {
  const pdf = await openPdf(bytes);
  try {
    if (pdf.pageCount > context.maxPages) throw tooManyPages(pdf.pageCount, context.maxPages);
    const found: Findings = {
      broken: [],
      pictured: [],
      byOcr: new Map(),
      failures: new Map(),
      unsure: new Map(),
      misread: [],
      tried: 0,
      unknown: new Map(),
    };
    const files: AttachedFile[] = [...pdf.attachments()];
    const pages: PageSegments[] = [];
    for (let number = 1; number <= pdf.pageCount; number++) {
      context.onPage({ page: number, pages: pdf.pageCount });
      const page = await readPage(pdf, number, context, found, files);
      pages.push(page ?? emptyPage);
      if (number % pagesBetweenCollections === 0) Bun.gc(true);
    }
    if (found.broken.length === pdf.pageCount) throw unreadable("The PDF is broken: none of its pages can be read.");
    const { pages: cleaned, left } = withoutRunningLines(pages);
    const style = documentStyle(cleaned, outlineDepths(pdf.outline()));
    const blocks: Block[] = [];
    const linked: { read: Block[]; page: PageSegments }[] = [];
    const running: { above: string[]; below: string[]; from: number; to: number }[] = [];
    const empty: number[] = [];
    const told = new Set(
      [found.broken, found.pictured, found.failures.keys(), found.unknown.keys()].flatMap((of) => [...of]),
    );
    cleaned.forEach((page, index) => {
      const number = index + 1;
      if (number % (5 * pagesBetweenCollections) === 0) Bun.gc(true);
      const own = pageBlocks(page, style);
      const picture = found.byOcr.get(number);
      const read = picture === undefined ? own : withOcr(own, picture);
      joinOverPages(blocks, read, style);
      blocks.push({ kind: "page", page: number });
      const from = blocks.length;
      blocks.push(...read);
      if (page.running !== undefined) running.push({ ...page.running, from, to: blocks.length });
      if (page.links.length > 0) linked.push({ read, page });
      if (read.length === 0 && !told.has(number)) empty.push(number);
    });
    // After sentences were joined over pages.
    for (const { above, below, from, to } of running.reverse()) {
      blocks.splice(to, 0, ...below.map((text): Block => ({ kind: "paragraph", text })));
      blocks.splice(from, 0, ...above.map((text): Block => ({ kind: "paragraph", text })));
    }
    const title = titleOf(pdf.stated("Title")) ?? firstHeading(blocks);
    for (const { read, page } of linked) {
      const segments = page.flows.flatMap((flow) => inReadingOrder(flow.segments, flow.height));
      attachLinks(read, page.links, segments);
    }
    appendBlocks(blocks, formBlocks(pdf.xfaPart("template"), pdf.xfaPart("datasets"), blocks));
    const attached = await readInnerFiles(
      files.flatMap(({ name, bytes }) => (bytes === null ? [] : [{ name, bytes, mimeType: null }])),
      context,
      { level: 2, label: "Attachment: " },
    );
    appendBlocks(blocks, attached.blocks);
    const [failure] = found.failures.values();
    if (!blocks.some((block) => block.kind !== "page")) throw nothingRead(pdf, found, failure, context);
    const signed = pdf.signatures().map(signatureText);
    appendBlocks(
      blocks,
      signed.flatMap((text): Block[] => (text === null ? [] : [{ kind: "paragraph", text }])),
    );
    const lost = files
      .filter((file) => file.bytes === null)
      .map(({ name }) => `${name} was left out: it cannot be read.`);
    const warnings = [
      ...warningsOf(found, { empty, left, hasOcr: context.ocr !== null }),
      ...attached.warnings,
      ...lost,
    ];
    const properties = fileProperties({
      title: isNamedIn(blocks, pdf.stated("Title")) ? pdf.stated("Title") : null,
      authors: [pdf.stated("Author")],
      created: pdf.stated("CreationDate"),
      updated: pdf.stated("ModDate"),
      keywords: [pdf.stated("Keywords")],
      description: pdf.stated("Subject"),
      language: pdf.language(),
    });
    return { title, blocks, warnings, ...properties };
  } finally {
    pdf.close();
  }
};

const openPdf = async (bytes: Uint8Array): Promise<PdfDocument> => {
  try {
    return await openPdfium(bytes);
  } catch (cause) {
    if (cause instanceof PasswordNeeded)
      throw unreadable("The PDF is locked with a password. Unlock it and try again.", cause);
    throw unreadable("The PDF is broken or cut off.", cause);
  }
};

/** The cost of finding a page grows with the number of pages. */
const tooManyPages = (pages: number, maxPages: number) =>
  tooLarge(`The PDF has ${pages} pages, more than ${maxPages} (parser.maxPages). Split it.`);

/** One page, and by OCR what its pictures say where it needs that; null for a broken one. */
const readPage = async (
  pdf: PdfDocument,
  number: number,
  context: ParseContext,
  found: Findings,
  files: AttachedFile[],
): Promise<PageSegments | null> => {
  let page: PdfPage;
  try {
    page = pdf.page(number);
  } catch {
    found.broken.push(number);
    return null;
  }
  try {
    const text = readPageText(page);
    const isGarbled = text.unknown > garbledShare * (text.known + text.unknown) && text.unknown > minPageCharacters;
    if (text.unknown > 0) found.unknown.set(number, text.unknown);
    const isMisread = text.invisible > text.known / 2 && looksMisread(text);
    if (isMisread && context.ocr !== null) await readByOcr(page, text, context.ocr, found);
    else if (needsOcr(page, text, isGarbled)) {
      if (context.ocr === null) {
        if (text.drawing.pictures.length > 0) found.pictured.push(number);
      } else await readByOcr(page, text, context.ocr, found);
    }
    files.push(...page.attachments());
    if (isMisread && !found.byOcr.has(number)) found.misread.push(number);
    // What a broken font says, or a scanner misread, is left out where OCR could read the page.
    if ((isGarbled || isMisread) && found.byOcr.has(number)) {
      found.unknown.delete(number);
      return emptyPage;
    }
    return segmentsOf(page, text, context.baseUrl);
  } finally {
    page.close();
  }
};

const segmentsOf = (page: PdfPage, text: PageText, baseUrl: string | null): PageSegments => {
  const annotations = page.annotations();
  const none = { isUpright: true, runs: [], rules: [], height: page.height };
  const upright = text.flows.find((flow) => flow.isUpright) ?? none;
  const isShown = (box: Box, value: string) =>
    comparable(textIn(upright.runs, box)).includes(comparable(value) || "\0");
  const typed = typedRuns(annotations, upright, isShown);
  const all = upright === none && typed.length > 0 ? [...text.flows, upright] : text.flows;
  const flows = all.map((flow): PageFlow => {
    const { isUpright, rules, height } = flow;
    const segments = buildSegments(isUpright ? [...flow.runs, ...typed] : flow.runs, rules);
    return { isUpright, segments, rules, height };
  });
  const links = readLinkedTexts(
    upright.runs,
    annotations,
    flows.find((flow) => flow.isUpright)?.segments ?? [],
    baseUrl,
  );
  return { flows, links, slanted: text.slanted, notes: noteTexts(annotations) };
};

/** Whether most of what a page says is in its pictures, or is drawn in a font that does not say its letters. */
const needsOcr = (page: PdfPage, { known, invisible, drawing }: PageText, isGarbled: boolean): boolean => {
  if (isGarbled) return true;
  const isDrawn =
    drawing.objects >= fewestPaths ||
    drawing.pictures.some(({ pixels }) => pixels.width * pixels.height >= minPicturePixels);
  if (known < minPageCharacters) return isDrawn;
  // The text of a scan that OCR has read before is there, but not shown.
  if (known >= maxStampCharacters || invisible > known / 2) return false;
  const largest = Math.max(0, ...drawing.pictures.map(({ x0, y0, x1, y1 }) => (x1 - x0) * (y1 - y0)));
  return largest >= scanShare * page.width * page.height;
};

/** Of the words of a text that was read well, fewer than this share have digits inside or no letter at all. */
const misreadShare = 0.25;
const fewestWords = 8;

/** Whether a page's text has many words that no reader would write, such as `Th3` and `~|.`. */
const looksMisread = ({ flows }: PageText): boolean => {
  const words = flows
    .flatMap(({ runs }) => runs.map(({ text }) => text))
    .filter((word) => !/^[\p{N}\p{Sc}.,:%/-]+$/u.test(word));
  const odd = words.filter(
    (word) => !/[\p{L}\p{N}]/u.test(word) || /\p{Ll}\d+\p{L}|^\p{L}\d+\p{Ll}|^\d\p{Ll}+\d/u.test(word),
  );
  return words.length >= fewestWords && odd.length > misreadShare * words.length;
};

/** Smaller pictures are decoration; letters drawn as paths are at least so many. */
const minPicturePixels = 100 * 40;
const fewestPaths = 30;
const [leastDots, usualDots, mostDots] = [150, 300, 400];

const readByOcr = async (
  page: PdfPage,
  { drawing }: PageText,
  ocr: NonNullable<ParseContext["ocr"]>,
  found: Findings,
): Promise<void> => {
  // As fine as the largest picture is.
  const [picture] = drawing.pictures.toSorted(
    (a, b) => b.pixels.width * b.pixels.height - a.pixels.width * a.pixels.height,
  );
  const across = picture ? Math.max(picture.x1 - picture.x0, picture.y1 - picture.y0) : 0;
  const own = picture && across > 0 ? (72 * Math.max(picture.pixels.width, picture.pixels.height)) / across : usualDots;
  try {
    const { data, width, height } = page.render(Math.min(Math.max(own, leastDots), mostDots));
    if (data.every((sample) => sample === 255)) {
      if (drawing.pictures.some((one) => page.isBroken(one))) found.failures.set(page.number, brokenPicture());
      return;
    }
    found.tried++;
    const picture = writePgm({ data, width, height });
    const text = await ocr.read(picture, (unsure, words) => found.unsure.set(page.number, { unsure, words }));
    if (text.trim() !== "") found.byOcr.set(page.number, text);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    found.failures.set(page.number, error);
  }
};

const brokenPicture = (): ApiError =>
  unreadable(
    "A picture of the PDF is broken or too large and cannot be decoded: scan the page again, or save the PDF anew.",
  );

/** What OCR read, after the page's own text; what both say stands once. */
const withOcr = (own: Block[], picture: string): Block[] => {
  const said = comparable(own.map((block) => ("text" in block ? block.text : "")).join(" "));
  return [
    ...own,
    ...textBlocks(picture).filter((block) => !("text" in block) || !said.includes(comparable(block.text))),
  ];
};

const pageBlocks = (page: PageSegments, style: DocumentStyle): Block[] => {
  const blocks: Block[] = [];
  const main = mainFlows(page);
  for (const flow of page.flows) {
    // Text in another direction than most, such as a stamp on the margin, has no headings.
    const own = main.includes(flow) ? style : { ...style, headingSizes: [], bodyFont: "" };
    const isTurned = isMostlyRightToLeft(flow.segments.map(({ text }) => text).join(" "));
    const { rest, framed } = withoutFrames(withRuledTables(flow.segments, flow.rules, style.words), flow.rules);
    for (const region of [rest, ...framed].flatMap((one) => pageRegions(one, flow.height, isTurned, flow.rules))) {
      regionParts(region, (before, after) => joinTwo(before, after, style.words), flow.rules).forEach((part, index) => {
        if (part.kind === "table") {
          blocks.push({ kind: "table", rows: isTurned ? part.rows.map((row) => row.toReversed()) : part.rows });
          return;
        }
        const read = readLines(part.rows, own, isTurned);
        if (index === 0) joinOverColumns(blocks, read, style);
        appendBlocks(blocks, read);
      });
    }
  }
  if (page.slanted.length >= minPageCharacters) blocks.push({ kind: "paragraph", text: page.slanted });
  for (const text of page.notes) blocks.push({ kind: "paragraph", text });
  return blocks;
};

const endsSentence = (text: string): boolean => /[.!?:;。！？]["”’)\]]?[⁰¹²³⁴⁵⁶⁷⁸⁹]*$/.test(text);

/** The last block and the first one after it that goes on with its sentence; null where it does not. */
const brokenSentence = (before: readonly Block[], after: readonly Block[]) => {
  const [last, next] = [before.at(-1), after[0]];
  if (last === undefined || next?.kind !== "paragraph" || !/^\p{Ll}/u.test(next.text)) return null;
  return (last.kind === "paragraph" || last.kind === "item") && !endsSentence(last.text) ? { last, next } : null;
};

/** Joins a paragraph that continues at the top of the next column. */
const joinOverColumns = (before: readonly Block[], after: Block[], style: DocumentStyle): void => {
  const broken = brokenSentence(before, after);
  if (broken === null) return;
  broken.last.text = joinTwo(broken.last.text, broken.next.text, style.words);
  after.shift();
};

/** The rest of a sentence that goes on at the top of the next page is put where it began. */
const joinOverPages = (before: readonly Block[], after: Block[], style: DocumentStyle): void => {
  const broken = brokenSentence(before, after);
  if (broken === null) return;
  const { last, next } = broken;
  const end = /[.!?]["”’)]?(?=\s)/.exec(next.text);
  const rest = end === null ? next.text : next.text.slice(0, end.index + end[0].length);
  last.text = joinTwo(last.text, rest, style.words);
  next.text = next.text.slice(rest.length).trimStart();
  if (next.text === "") after.shift();
};

/** What an XFA form holds that its page, which may only ask for another program, does not show. */
const formBlocks = (template: string | null, data: string | null, shown: readonly Block[]): Block[] => {
  const said = shown
    .map((block) =>
      comparable("text" in block ? block.text : block.kind === "table" ? block.rows.flat().join(" ") : ""),
    )
    .join("");
  try {
    return readXfaForm(template, data).filter((block) => {
      const text = "text" in block ? block.text : "";
      const [, value = ""] = text.split(/:\s(.*)/s, 2);
      return block.kind === "table" || !said.includes(comparable(value) || comparable(text));
    });
  } catch {
    return [];
  }
};

const nothingRead = (
  pdf: PdfDocument,
  { unknown, tried }: Findings,
  failure: ApiError | undefined,
  { ocr }: ParseContext,
): ApiError => {
  // Reported as "no text", so that another configured parser is tried.
  if (failure !== undefined) return failure.code === "unreadable_file" ? noText(failure.message, failure) : failure;
  const pages = `${pdf.pageCount} ${pdf.pageCount === 1 ? "page" : "pages"}`;
  const wayOut = "Install the tesseract program, or set up Unstructured (parser.baseUrl).";
  if (unknown.size > 0) {
    const why = `The PDF holds no text that can be read (${pages}): its fonts do not say which letters they draw`;
    return noText(
      ocr === null ? `${why}, so that it needs OCR. ${wayOut}` : `${why}${tried > 0 ? ", and OCR found none" : ""}.`,
    );
  }
  if (ocr === null) return noText(`The PDF holds no text that can be read (${pages}): a scan needs OCR. ${wayOut}`);
  return noText(
    tried > 0
      ? `The PDF holds no text that can be read (${pages}), and OCR found none.`
      : `The PDF holds no text (${pages}), and no picture that could hold some.`,
  );
};

const warningsOf = (
  { broken, pictured, byOcr, failures, unknown, unsure, misread }: Findings,
  { empty, left, hasOcr }: { empty: readonly number[]; left: number; hasOcr: boolean },
): string[] => {
  const warnings: string[] = [];
  const [failure] = failures.values();
  if (broken.length > 0) warnings.push(`${pagesNamed(broken)} broken and left out.`);
  if (empty.length > 0) warnings.push(`${pagesNamed(empty)} without text${hasOcr ? "" : "; a picture needs OCR"}.`);
  if (pictured.length > 0)
    warnings.push(`${pagesNamed(pictured)} what is on the pictures was not read: that needs OCR (install tesseract).`);
  if (failure !== undefined) warnings.push(`${pagesNamed([...failures.keys()])} not read whole. ${failure.message}`);
  if (byOcr.size > 0) warnings.push(`${pagesNamed([...byOcr.keys()])} read by OCR.`);
  if (unsure.size > 0) {
    const sum = (of: "unsure" | "words") => unsure.values().reduce((all, page) => all + page[of], 0);
    warnings.push(`${pagesNamed([...unsure.keys()])} OCR was unsure of ${sum("unsure")} of ${sum("words")} words.`);
  }
  if (misread.length > 0)
    warnings.push(`${pagesNamed(misread)} the text that a scanner put behind the picture looks misread.`);
  if (unknown.size > 0) {
    const count = [...unknown.values()].reduce((sum, one) => sum + one, 0);
    const what = count === 1 ? "1 letter was" : `${count} letters were`;
    warnings.push(`${pagesNamed([...unknown.keys()])} ${what} not read: the font does not say what they mean.`);
  }
  if (left > 0)
    warnings.push(
      `${left} ${left === 1 ? "line" : "lines"} that repeat on pages (headers, footers, page numbers) left out.`,
    );
  return warnings;
};

const maxNamedPages = 20;

const pagesNamed = (numbers: readonly number[]): string => {
  const named = numbers.slice(0, maxNamedPages).join(", ");
  const more = numbers.length > maxNamedPages ? ` and ${numbers.length - maxNamedPages} more` : "";
  return `${numbers.length === 1 ? "Page" : "Pages"} ${named}${more}:`;
};

const confirmingBlocks = 40;

/** Whether the text begins with most words of a title: many PDFs state that of another document. */
const isNamedIn = (blocks: readonly Block[], title: string): boolean => {
  const begin = blocks.slice(0, confirmingBlocks).map((block) => ("text" in block ? comparable(block.text) : ""));
  const words = (title.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 100).map(comparable);
  return words.filter((word) => begin.some((text) => text.includes(word))).length > words.length / 2;
};

const firstHeading = (blocks: readonly Block[]): string | null => {
  const heading = blocks.slice(0, 30).find((block) => block.kind === "heading" && block.level === 1);
  return heading?.kind === "heading" ? tidyTitle(heading.text) : null;
};
