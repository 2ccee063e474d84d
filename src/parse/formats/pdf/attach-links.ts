import type { Block } from "../../blocks/blocks.ts";
import { markdownLink } from "../../blocks/tidy-text.ts";
import type { LinkedText } from "./links.ts";
import type { Segment } from "./segments.ts";

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
