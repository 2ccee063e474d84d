import { normalForm } from "../../../text/clean-text.ts";
import { charactersIn } from "./measures.ts";
import type { TextRun } from "./page-text.ts";
import type { Annotation, Box } from "./pdfium.ts";
import type { Segment } from "./segments.ts";

/** A stretch of a segment's text that a link covers; `start` and `end` count its characters. */
export interface LinkedText {
  segment: Segment;
  start: number;
  end: number;
  url: string;
}

const maxLinksPerPage = 500;
/** A link over more text than this covers a page, not words. */
const maxCoveredCharacters = 500;
/** Neither is the text covered by a link looked for in lines that are longer together. */
const maxCharactersUnder = 10_000;

/** Position of a link in points; y grows downwards. */
interface Link {
  url: string;
  /** The covered text without blanks. */
  covered: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * The links of a page to addresses outside the file, by the segments that they cover.
 * @param baseUrl relative addresses are resolved against it
 */
export const readLinkedTexts = (
  runs: readonly TextRun[],
  annotations: readonly Annotation[],
  segments: readonly Segment[],
  baseUrl: string | null,
): LinkedText[] =>
  annotations
    .filter(({ kind }) => kind === "link")
    .slice(0, maxLinksPerPage)
    .flatMap(({ box, text }) => {
      const url = absoluteAddress(text, baseUrl);
      if (url === null) return [];
      const link = { url, left: box.x0, right: box.x1, top: box.y0, bottom: box.y1 };
      // First of all, so that many links over a whole page cost little.
      const under = segments.filter((segment) => isUnder(segment, link));
      if (charactersIn(under) > maxCharactersUnder) return [];
      return linkedTexts({ ...link, covered: withoutPoint(compact(textIn(runs, box))) }, under);
    });

/** The words whose middles lie in a box. */
export const textIn = (runs: readonly TextRun[], { x0, y0, x1, y1 }: Box): string =>
  runs
    .filter(({ x, y, width, size }) => {
      const [across, down] = [x + width / 2, y - 0.3 * size];
      return across > x0 && across < x1 && down > y0 && down < y1;
    })
    .map(({ text }) => text)
    .join(" ");

const absoluteAddress = (address: string, baseUrl: string | null): string | null => {
  if (address.startsWith("#")) return null;
  const stated = /^www\./i.test(address) ? `http://${address}` : address;
  const url = URL.parse(stated, baseUrl ?? undefined);
  return url !== null && ["http:", "https:", "mailto:", "tel:", "ftp:"].includes(url.protocol) ? url.href : null;
};

/** Punctuation after an address belongs to the sentence. */
const withoutPoint = (text: string): string => {
  let end = text.length;
  while (end > 0 && ".,;:".includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
};

/** Texts are compared without blanks and ligatures. */
const compact = (text: string): string => normalForm(text, "NFKC").replace(/\s+/g, "");

const linkedTexts = (link: Link, segments: readonly Segment[]): LinkedText[] => {
  const under = segments.toSorted(byLine);
  const stated = coveredTexts(link, under);
  const found = stated.length > 0 ? stated : under.flatMap((segment) => coveredWords(link, segment));
  return found.reduce((sum, { start, end }) => sum + end - start, 0) > maxCoveredCharacters ? [] : found;
};

/**
 * The text that the link covers, in the lines under it; of several places the one nearest to its left edge.
 */
const coveredTexts = (link: Link, under: readonly Segment[]): LinkedText[] => {
  if (link.covered === "") return [];
  const characters: { segment: Segment; at: number }[] = [];
  let text = "";
  for (const segment of under) {
    for (const { 0: character, index: at } of segment.text.matchAll(/\S/gu)) {
      const normal = character.normalize("NFKC");
      text += normal;
      for (let unit = 0; unit < normal.length; unit++) characters.push({ segment, at });
    }
  }
  let best: { start: number; distance: number } | null = null;
  for (let start = text.indexOf(link.covered); start >= 0; start = text.indexOf(link.covered, start + 1)) {
    const first = characters[start];
    const distance = first ? Math.abs(placeOf(first.segment, first.at) - link.left) : 0;
    if (best === null || distance < best.distance) best = { start, distance };
  }
  const found: LinkedText[] = [];
  if (best === null) return found;
  for (const { segment, at } of characters.slice(best.start, best.start + link.covered.length)) {
    const last = found.at(-1);
    const end = at + String.fromCodePoint(segment.text.codePointAt(at) ?? 0).length;
    if (last?.segment === segment) last.end = end;
    else found.push({ segment, start: at, end, url: link.url });
  }
  return found;
};

/** The words of a line whose middle lies in the link's box. */
const coveredWords = ({ left, right, url }: Link, segment: Segment): LinkedText[] => {
  const words = [...segment.text.matchAll(/\S+/g)].filter(({ 0: word, index }) => {
    const middle = placeOf(segment, index + word.length / 2);
    return middle > left && middle < right;
  });
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return [];
  return [{ segment, start: first.index, end: last.index + withoutPoint(last[0]).length, url }];
};

/** Whether the middle of its lower-case letters lies in the link's box: boxes begin at the baseline or below. */
const isUnder = ({ x0, x1, y, size }: Segment, { left, right, top, bottom }: Omit<Link, "covered">): boolean =>
  x1 > left && x0 < right && y - 0.3 * size > top && y - 0.3 * size < bottom;

const byLine = (a: Segment, b: Segment): number => (Math.abs(a.y - b.y) < 0.3 * a.size ? a.x0 - b.x0 : a.y - b.y);

/** The approximate position of a character, as if all were equally wide. */
const placeOf = ({ text, x0, x1 }: Segment, at: number): number => x0 + ((x1 - x0) * at) / text.length;
