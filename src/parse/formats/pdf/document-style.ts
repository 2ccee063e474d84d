import { charactersIn, mostCounted } from "./measures.ts";
import { minorShare } from "./page-text.ts";
import { comparable, type DocumentStyle } from "./paragraphs.ts";
import type { PageFlow, PageSegments } from "./running-lines.ts";

/** A heading's font is at least this much larger than the body's. */
const headingRatio = 1.12;
const maxWords = 200_000;

/** Sizes, fonts and words of a document. */
export const documentStyle = (pages: readonly PageSegments[], outline: ReadonlyMap<string, number>): DocumentStyle => {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  const words = new Set<string>();
  for (const page of pages) {
    for (const segment of mainFlows(page).flatMap(({ segments }) => segments)) {
      const size = halfPoints(segment.size);
      sizes.set(size, (sizes.get(size) ?? 0) + segment.text.length);
      fonts.set(segment.font, (fonts.get(segment.font) ?? 0) + segment.text.length);
      if (words.size < maxWords) addWords(segment.text, words);
    }
  }
  const bodySize = mostCounted(sizes) ?? 0;
  const total = [...sizes.values()].reduce((sum, count) => sum + count, 0);
  const headingSizes = [...sizes]
    // A size that much of the text has is body text, not a heading.
    .filter(([size, count]) => size >= bodySize * headingRatio && count < total * 0.3)
    .map(([size]) => size)
    .sort((a, b) => b - a);
  return { bodySize, bodyFont: mostCounted(fonts) ?? "", headingSizes: distinct(headingSizes), outline, words };
};

/** A page's text but that in other directions of which there is little, such as a stamp on the margin. */
export const mainFlows = ({ flows }: PageSegments): PageFlow[] => {
  const most = Math.max(0, ...flows.map(({ segments }) => charactersIn(segments)));
  return flows.filter(({ segments }) => charactersIn(segments) >= minorShare * most);
};

/** Words, and compounds with their parts. A word in lower case at the start of a line may be the rest of a broken one. */
const addWords = (text: string, words: Set<string>): void => {
  const whole = text.replace(/^\p{Ll}+/u, "").toLowerCase();
  for (const { 0: word, index } of whole.matchAll(/\p{L}+(?:-\p{L}+)*/gu)) {
    // A word that ends in a hyphen may be the first part of a broken one.
    if (whole[index + word.length] === "-") continue;
    words.add(word);
    if (word.includes("-")) for (const part of word.split("-")) words.add(part);
  }
};

const halfPoints = (size: number): number => Math.round(size * 2) / 2;

/** Sizes half a point apart are the same heading; at most four levels. */
const distinct = (sizes: readonly number[]): number[] =>
  sizes.filter((size, index) => index === 0 || (sizes[index - 1] ?? 0) - size > 0.5).slice(0, 4);

/** Titles of the document's outline (its bookmarks) in comparable form, with their depth from 0. */
export const outlineDepths = (entries: readonly { title: string; depth: number }[]): Map<string, number> => {
  const depths = new Map<string, number>();
  for (const { title, depth } of entries) {
    const key = comparable(title);
    if (key.length > 1 && !depths.has(key)) depths.set(key, depth);
  }
  return depths;
};
