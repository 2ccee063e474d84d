import type { SourceDocument } from "../../../src/evaluation/collection.ts";

/** Documents of one title are an article; without a title each is one by itself. */
export const articleOf = ({ id, title }: SourceDocument): string => (title === "" ? id : title);

/** Whole articles, always the same ones, until there are enough documents. */
export const chooseDocuments = (documents: readonly SourceDocument[], count: number): SourceDocument[] => {
  const readable = documents.filter(({ text }) => text.trim() !== "");
  const articles = [...new Set(readable.map(articleOf))].sort((a, b) => Bun.hash.crc32(a) - Bun.hash.crc32(b));
  const chosen: SourceDocument[] = [];
  for (const article of articles) {
    if (chosen.length >= count) break;
    chosen.push(...readable.filter((document) => articleOf(document) === article));
  }
  return chosen.slice(0, count);
};

/** So many of them, from all places. */
export const evenly = <T>(from: readonly T[], count: number): T[] =>
  from.length <= count
    ? [...from]
    : Array.from({ length: count }, (_, at) => from[Math.floor((at * from.length) / count)] as T);
