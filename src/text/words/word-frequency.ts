import { readFileSync } from "node:fs";
import path from "./frequencies.bin" with { type: "file" };
import { type FrequencyTable, readFrequencyTable, shareIn } from "./frequency-table.ts";

/** The lists end at one word in a million; what they do not have is a name, a typing error or a term of a trade. */
export const unlistedShare = 1e-7;

/** Scripts of the lists. Those written without spaces are searched by pairs of characters, which no list has. */
const listedScript =
  /^~?[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]/u;
/** A number is as rare as it is among the documents, and two Vietnamese syllables as one term are not listed. */
const unlisted = /[\p{N}_]/u;

let table: FrequencyTable | null = null;

/** 4.7 MB, read with the first question (3 ms), so that an idle server does not hold them. */
const loadedTable = (): FrequencyTable => {
  table ??= readFrequencyTable(readFileSync(path));
  return table;
};

/**
 * The share that a term of the full-text index has of running text in its language, 0 to 1; the highest where several
 * languages have it. Null where no list tells: numbers, pairs of characters, scripts without a list.
 */
export const termShare = (term: string): number | null =>
  listedScript.test(term) && !unlisted.test(term) ? (shareIn(loadedTable(), term) ?? unlistedShare) : null;

/** The same of a whole Chinese, Japanese or Korean word, folded; null where the lists do not have it. */
export const unspacedWordShare = (word: string): number | null => shareIn(loadedTable(), word);
