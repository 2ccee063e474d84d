import { normalForm } from "../../../text/clean-text.ts";
import type { Block } from "../../blocks/blocks.ts";
import { markdownLink } from "../../blocks/tidy-text.ts";
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

/** A text of a block, or of a table's cell. */
interface Place {
  text: string;
  write(text: string): void;
}

interface Range {
  start: number;
  end: number;
  url: string;
}

/**
 * Adds a page's links to its finished blocks, because headings, tables and paragraphs are recognized by the text
 * without links. A link is left out where its text occurs several times and the right one cannot be found.
 * @param segments the page's, in reading order
 */
export const attachLinks = (
  blocks: readonly Block[],
  links: readonly LinkedText[],
  segments: readonly Segment[],
): void => {
  const places = placesOf(blocks);
  const inPlaces = finder(places.map((place) => place.text));
  const inSegments = finder(segments.map((segment) => segment.text));
  const order = new Map(segments.map((segment, index) => [segment, index]));
  const ranges = new Map<number, Range[]>();
  for (const { segment, start, end, url } of links) {
    const index = order.get(segment);
    // Headers and footers are left out with their links.
    if (index === undefined) continue;
    for (const { from, to } of contextsOf(segment.text, start, end)) {
      const words = segment.text.slice(from, to);
      const [found, said] = [inPlaces(words), inSegments(words)];
      const own = said.findIndex((one) => one.text === index && one.at === from);
      const place = found.length === said.length ? found[own] : undefined;
      const [first, last] = [Math.max(start, from), Math.min(end, to)];
      if (place === undefined || first >= last) continue;
      const range = { start: place.at + first - from, end: place.at + last - from, url };
      ranges.set(place.text, [...(ranges.get(place.text) ?? []), range]);
      break;
    }
  }
  for (const [index, found] of ranges) {
    const place = places[index];
    place?.write(withLinks(place.text, found));
  }
};

const placesOf = (blocks: readonly Block[]): Place[] => {
  const places: Place[] = [];
  for (const block of blocks) {
    if (block.kind === "table") {
      for (const row of block.rows)
        row.forEach((text, column) => {
          places.push({ text, write: (linked) => (row[column] = linked) });
        });
    } else if (block.kind === "heading" || block.kind === "paragraph" || block.kind === "item") {
      places.push({ text: block.text, write: (linked) => (block.text = linked) });
    }
  }
  return places;
};

/** Words that occur more often on one page say nothing of where they are. */
const maxPlaces = 1_000;
/** What is read of a page for its links at most: 100 times what a full page with 500 links needs. */
const maxSearchedCharacters = 250_000_000;

/** Finds where words occur in texts, in order; none where they occur too often. Results are cached. */
const finder = (texts: readonly string[]): ((words: string) => { text: number; at: number }[]) => {
  const known = new Map<string, { text: number; at: number }[]>();
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  let searched = 0;
  const find = (words: string): { text: number; at: number }[] => {
    const found: { text: number; at: number }[] = [];
    searched += length;
    if (words === "" || searched > maxSearchedCharacters) return found;
    for (const [index, text] of texts.entries()) {
      for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
        if (found.length === maxPlaces) return [];
        found.push({ text: index, at });
      }
    }
    return found;
  };
  return (words) => {
    const before = known.get(words);
    if (before) return before;
    const found = find(words);
    known.set(words, found);
    return found;
  };
};

/**
 * The linked words with the text around them, as much as the blocks may have kept: the whole line; without its hyphen;
 * without a list item's mark; the words alone.
 */
const contextsOf = (text: string, start: number, end: number): { from: number; to: number }[] => {
  const to = /[-\u00ad\u2010]$/.test(text) ? text.length - 1 : text.length;
  const mark = /^\S{1,6}\s+/.exec(text)?.[0].length ?? 0;
  return [
    { from: 0, to: text.length },
    { from: 0, to },
    { from: mark, to },
    { from: start, to: Math.min(end, to) },
  ];
};

/** The text with its links; one that continues on the next line is joined. */
const withLinks = (text: string, ranges: readonly Range[]): string => {
  const whole: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = whole.at(-1);
    if (last?.url === range.url && text.slice(last.end, range.start).trim() === "") last.end = range.end;
    else if (last === undefined || range.start >= last.end) whole.push({ ...range });
  }
  let linked = text;
  for (const { start, end, url } of whole.reverse()) {
    const label = text.slice(start, end);
    const written = isBrokenAddress(label, url) ? url.replace(/^mailto:/, "") : markdownLink(label, url);
    linked = linked.slice(0, start) + written + linked.slice(end);
  }
  return linked;
};

/** The label is the address itself, with blanks in it or hyphens lost at the ends of lines. */
const isBrokenAddress = (label: string, url: string): boolean => {
  const letters = (address: string) => address.replace(/^mailto:|[\s\u00ad\u2010-]|\/$/g, "");
  const bare = (address: string) => address.replace(/^mailto:|\/$/g, "");
  return letters(label) === letters(url) && bare(label) !== bare(url);
};
