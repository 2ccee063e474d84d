import type { Range } from "../../../shared/passage-markdown.ts";

interface Letters {
  /** Letters and digits alone, without accents, in lower case. */
  text: string;
  /** For each of them, where it stands in the text. */
  at: number[];
}

const isLetter = /[\p{L}\p{N}]/u;
/** Shorter pieces stand in many places by chance. */
const minPieceLetters = 12;
const maxPieces = 400;

const lettersOf = (source: string): Letters => {
  let text = "";
  const at: number[] = [];
  let index = 0;
  for (const character of source) {
    for (const part of character.normalize("NFKD").toLowerCase())
      if (isLetter.test(part)) {
        text += part;
        for (let unit = 0; unit < part.length; unit += 1) at.push(index);
      }
    index += character.length;
  }
  return { text, at };
};

/**
 * Where a passage stands in a text that was set in another way: other line ends, hyphens, marks of Markdown. Only letters
 * and digits count. If it does not stand there as a whole, its sentences and lines are looked for, in their order.
 * @param near where it is expected, 0 to 1 of the text: among several places the nearest is taken
 */
export const findPassage = (text: string, passage: string, near: number): Range[] => {
  const letters = lettersOf(text);
  const wanted = lettersOf(passage).text;
  if (wanted === "" || letters.text === "") return [];
  const whole = nearest(letters.text, wanted, near * letters.text.length);
  if (whole !== -1) return [rangeOf(letters, whole, wanted.length)];
  const found: Range[] = [];
  let from = 0;
  for (const piece of piecesOf(passage)) {
    const at = letters.text.indexOf(piece, from);
    if (at === -1) continue;
    found.push(rangeOf(letters, at, piece.length));
    from = at + piece.length;
  }
  return found;
};

const piecesOf = (passage: string): string[] =>
  passage
    .split(/[.!?|\n]/)
    .slice(0, maxPieces)
    .map((piece) => lettersOf(piece).text)
    .filter((piece) => piece.length >= minPieceLetters);

/** Most places where the same passage stands that are compared. */
const maxPlaces = 200;

const nearest = (text: string, wanted: string, expected: number): number => {
  let best = -1;
  let at = text.indexOf(wanted);
  for (let places = 0; at !== -1 && places < maxPlaces; places += 1) {
    if (best === -1 || Math.abs(at - expected) < Math.abs(best - expected)) best = at;
    at = text.indexOf(wanted, at + 1);
  }
  return best;
};

const rangeOf = ({ at }: Letters, from: number, length: number): Range => ({
  start: at[from] ?? 0,
  end: (at[from + length - 1] ?? 0) + 1,
});

/** A part of a document's text that is shown at once: a page, or a stretch of one. */
export interface TextSection {
  /** Characters of the text, end exclusive. */
  start: number;
  end: number;
  /** Page, sheet or slide; null where the document has none. */
  page: number | null;
  /** Whether the page begins with it. */
  isPageStart: boolean;
  /** The head of a table that the section goes on with, as Markdown; else empty. */
  tableHead: string;
}

interface Cut {
  start: number;
  page: number | null;
}

/** A stretch of text that is laid out in a few milliseconds. */
const maxSectionCharacters = 12_000;
/** Pages without text that are shown as such; beyond, they are left out. */
const maxEmptyPages = 2_000;

/**
 * The text in sections: cut where a page begins, and long pages between paragraphs or, in a table, between rows. Pages
 * that hold no text are empty sections, so that what is said of them has its place.
 * @param snippets in the order of the text; the first of a page shows where the page begins
 * @param pages how many the document has
 */
export const textSections = (text: string, snippets: readonly Cut[], pages: number): TextSection[] => {
  const begins = pageStarts(text, snippets);
  if (begins.length === 0) return stretches(text, 0, text.length, null);
  const sections: TextSection[] = [];
  let next = 1;
  const addEmpty = (before: number, at: number): void => {
    for (; next < before && sections.length < maxEmptyPages; next += 1)
      sections.push({ start: at, end: at, page: next, isPageStart: true, tableHead: "" });
  };
  begins.forEach(({ start, page }, index) => {
    const end = begins[index + 1]?.start ?? text.length;
    addEmpty(page, start);
    sections.push(...stretches(text, start, end, page));
    next = page + 1;
  });
  addEmpty(pages + 1, text.length);
  return sections;
};

/** Where each page begins; pages only go up, whatever a snippet says that runs over an edge. */
const pageStarts = (text: string, snippets: readonly Cut[]): { start: number; page: number }[] => {
  const starts: { start: number; page: number }[] = [];
  for (const { start, page } of snippets) {
    const last = starts.at(-1);
    if (page === null || (last !== undefined && page <= last.page)) continue;
    starts.push({ start: last === undefined ? 0 : Math.max(last.start, blockStart(text, start)), page });
  }
  return starts;
};

/** Where the line of a character begins. */
const blockStart = (text: string, at: number): number => text.lastIndexOf("\n", Math.max(0, at - 1)) + 1;

const stretches = (text: string, from: number, to: number, page: number | null): TextSection[] => {
  const sections: TextSection[] = [];
  for (let start = from; start < to || sections.length === 0; ) {
    const end = to - start <= maxSectionCharacters ? to : cutAt(text, start, start + maxSectionCharacters);
    const tableHead = start > from ? tableHeadBefore(text, start) : "";
    sections.push({ start, end, page, isPageStart: start === from, tableHead });
    if (end <= start) break;
    start = end;
  }
  return sections;
};

/** Between paragraphs if there is an end of one in the second half, else between lines, else anywhere. */
const cutAt = (text: string, start: number, end: number): number => {
  const middle = start + (end - start) / 2;
  const paragraph = text.lastIndexOf("\n\n", end - 2);
  if (paragraph > middle) return paragraph + 2;
  const line = text.lastIndexOf("\n", end - 1);
  return line > middle ? line + 1 : end;
};

const maxHeadCharacters = 4_000;

/** The head of the table in which a section begins. */
const tableHeadBefore = (text: string, at: number): string => {
  if (text[at] !== "|") return "";
  const table = text.lastIndexOf("\n\n", at) + (text.lastIndexOf("\n\n", at) === -1 ? 1 : 2);
  const rule = text.indexOf("\n", table) + 1;
  const end = rule === 0 ? -1 : text.indexOf("\n", rule);
  if (end === -1 || end >= at || end - table > maxHeadCharacters) return "";
  return /^\|(?: ?:?-+:? ?\|)+$/.test(text.slice(rule, end).trim()) ? text.slice(table, end + 1) : "";
};

interface PlacedWarning {
  text: string;
  /** The pages that it is about, as far as it names them; empty: it is about the document. */
  pages: number[];
}

/** Which pages a warning names: "Pages 3, 7: without text." */
export const placeWarning = (text: string): PlacedWarning => {
  const match = /^(?:Page|Pages|Slide) (\d{1,6}(?:, \d{1,6}){0,40})/.exec(text);
  return { text, pages: match?.[1] === undefined ? [] : match[1].split(", ").map(Number) };
};
