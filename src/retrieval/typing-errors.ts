import type { Tenant } from "../domain/records.ts";
import { type SnippetView, wholeTenant } from "../store/contract.ts";
import { analyze, analyzeQuery, type WrittenWord } from "../text/analysis/analyze.ts";
import { fold } from "../text/language/fold.ts";
import { isOfLetters, maxTypingErrors, typingErrors } from "../text/spelling.ts";
import { termShare, unlistedShare } from "../text/words/word-frequency.ts";

/** A word of a question and the word of the documents that is searched for in its place, both as they are written. */
export interface Replacement {
  written: string;
  meant: string;
}

/** Words whose documents are counted, and of those without any, words that similar ones are looked for. */
const maxCounted = 16;
const maxLookedUp = 4;
const wordsOfText = /[\p{L}\p{M}]+/gu;

/**
 * Finds the words of a question that are likely typing errors: no document has them, no list of words has them, and the
 * documents have a word that differs in a letter or two. Passages in quotation marks stay as they are.
 * @param texts the question, and others that are searched for with it
 */
export const findTypingErrors = async (
  view: SnippetView,
  tenant: Tenant,
  texts: readonly string[],
): Promise<Replacement[]> => {
  const codes = await codesOtherwise(view, tenant, texts);
  const written = wordsIn(texts);
  const unlisted = written.filter(isUnlisted).slice(0, maxCounted);
  const long = written.filter(mayBeCompound).slice(0, maxCounted);
  const words = [...new Set([...unlisted, ...long])];
  if (words.length === 0) return codes;
  const { counts, titles } = await view.documentFrequencies(
    tenant,
    words.flatMap(({ terms }) => terms),
  );
  const isMissing = ({ terms }: WrittenWord): boolean =>
    !terms.some((term) => (counts.get(term) ?? 0) + (titles.get(term) ?? 0) > 0);
  const compounds = await compoundsInParts(view, tenant, long.filter(isMissing).slice(0, maxLookedUp));
  const found: Replacement[] = [...codes, ...compounds];
  const isWhole = (word: WrittenWord): boolean => !compounds.some((compound) => compound.written === word.written);
  for (const { written, likely } of unlisted.filter((word) => isWhole(word) && isMissing(word)).slice(0, maxLookedUp)) {
    const [term] = await view.similarTerms(tenant, likely(), maxTypingErrors(written.length));
    if (term !== undefined) found.push({ written, meant: await asInDocuments(view, tenant, written, term) });
  }
  return found;
};

/** A code of at least so many characters, with a digit; shorter ones are numbers. */
const codeWord = /[\p{L}\p{N}]{5,32}/gu;
const maxSigns = 2;

/** Codes that no document has as they are written, and that the documents write with other signs: `00631-200-K`. */
const codesOtherwise = async (view: SnippetView, tenant: Tenant, texts: readonly string[]): Promise<Replacement[]> => {
  const codes = texts
    .flatMap((text) => text.match(codeWord) ?? [])
    .filter((word) => /\p{N}/u.test(word) && !/^\p{N}{1,8}$/u.test(word))
    .map((word) => word.toLowerCase())
    .slice(0, maxLookedUp);
  if (codes.length === 0) return [];
  const { counts } = await view.documentFrequencies(tenant, codes);
  const found: Replacement[] = [];
  for (const code of codes.filter((each) => (counts.get(each) ?? 0) === 0)) {
    const alike = await view.similarTerms(tenant, [code], maxSigns);
    const meant = alike.find((term) => term.replace(/[-_./]/g, "") === code);
    if (meant !== undefined) found.push({ written: code, meant });
  }
  return found;
};

/** A word of two has so many letters, and each of them so many at least. */
const [minCompound, maxCompound] = [9, 40];
const minPart = 4;
/** What joins them in German, Dutch and the Nordic languages. */
const joints = ["", "s", "n", "en", "es", "er", "e"];
/** Ways to divide a word that are looked up: the terms of each are counted. */
const maxWays = 24;

const mayBeCompound = ({ written }: WrittenWord): boolean =>
  written.length >= minCompound && written.length <= maxCompound && isOfLetters(written);

/** Of words that no document has, those whose two parts the documents have: "Zählernummer" of "Zähler (Nummer 4711)". */
const compoundsInParts = async (
  view: SnippetView,
  tenant: Tenant,
  missing: readonly WrittenWord[],
): Promise<Replacement[]> => {
  const found: Replacement[] = [];
  for (const { written } of missing) {
    const ways = waysToDivide(written).map((parts) => ({ parts, terms: parts.map(analyze) }));
    const { counts } = await view.documentFrequencies(tenant, [...new Set(ways.flatMap(({ terms }) => terms.flat()))]);
    const has = (terms: readonly string[]): boolean => terms.some((term) => (counts.get(term) ?? 0) > 0);
    const both = ways.find(({ terms }) => terms.every(has));
    if (both !== undefined) found.push({ written, meant: both.parts.join(" ") });
  }
  return found;
};

/** The ways to divide a word, those of like halves first. */
const waysToDivide = (word: string): [string, string][] => {
  const ways: [string, string][] = [];
  for (let at = minPart; at <= word.length - minPart; at++)
    for (const joint of joints) {
      const first = word.slice(0, at);
      if (first.endsWith(joint) && at - joint.length >= minPart)
        ways.push([first.slice(0, at - joint.length), word.slice(at)]);
    }
  const shorter = (parts: [string, string]): number => Math.min(...parts.map(({ length }) => length));
  return ways.sort((one, other) => shorter(other) - shorter(one)).slice(0, maxWays);
};

/** The words of texts, but for those in quotation marks. */
const wordsIn = (texts: readonly string[]): WrittenWord[] => {
  const words = new Map<string, WrittenWord>();
  for (const text of texts) {
    const { words: own, exact } = analyzeQuery(text);
    for (const word of own)
      if (!exact.some((passage) => passage.toLowerCase().includes(word.written))) words.set(word.written, word);
  }
  return [...words.values()];
};

/** The word itself: what it is found by may be listed for other words, as "tenac" of "tenacy" for "tenacious". */
const isUnlisted = ({ written }: WrittenWord): boolean =>
  maxTypingErrors(written.length) > 0 && isOfLetters(written) && termShare(fold(written)) === unlistedShare;

/** The nearest word of a snippet that has the term; the term itself where it has no near one. */
const asInDocuments = async (view: SnippetView, tenant: Tenant, written: string, term: string): Promise<string> => {
  const [hit] = await view.searchText(tenant, wholeTenant, [{ term, weight: 1 }], {
    limit: 1,
    titleWeight: 1,
    headingWeight: 1,
  });
  let nearest = { word: term, errors: Number.POSITIVE_INFINITY };
  const text = hit === undefined ? "" : [...hit.headings, hit.text].join("\n");
  for (const [word] of text.matchAll(wordsOfText)) {
    const errors = typingErrors(written, word.toLowerCase(), maxTypingErrors(written.length));
    if (errors !== null && errors < nearest.errors) nearest = { word, errors };
  }
  return nearest.word;
};
