import type { Quotation } from "../../retrieval/contract.ts";
import { analyzeQuery } from "../../text/analysis/analyze.ts";

/** Two quotations with this part of their words in common say the same of two times. */
const minAlike = 0.5;

/** So much of a quotation is compared. */
const maxCharacters = 1_000;

/** A quotation with the document it is from. */
export interface Dated {
  quotation: Quotation;
  documentId: string;
  /** Epoch milliseconds. */
  date: number;
}

/**
 * Quotations of which the newer stands first where two documents say something alike, as versions of one text do; where the
 * ask wants what holds now, all by age. The order is otherwise as it was.
 */
export const newestFirst = (dated: readonly Dated[], isRecentAsked: boolean): Quotation[] => {
  const ordered = [...dated];
  if (isRecentAsked) ordered.sort((a, b) => b.date - a.date);
  else
    for (let at = 1; at < ordered.length; at++)
      for (let before = 0; before < at; before++) {
        const [older, newer] = [ordered[before], ordered[at]];
        if (older === undefined || newer === undefined) continue;
        if (older.documentId === newer.documentId || newer.date <= older.date || !areAlike(older, newer)) continue;
        ordered.splice(at, 1);
        ordered.splice(before, 0, newer);
        break;
      }
  return ordered.map(({ quotation }) => quotation);
};

/** The words that say something: "of the" makes no two texts alike. */
const wordsOf = ({ quotation }: Dated): Set<string> => {
  const { terms } = analyzeQuery(quotation.text.slice(0, maxCharacters));
  return new Set(terms.filter(({ isInflection }) => !isInflection).map(({ term }) => term));
};

const areAlike = (one: Dated, other: Dated): boolean => {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared >= minAlike * Math.min(words.size, others.size) && shared > 1;
};

/**
 * What differs between two documents: of each the quotations that the other does not have word for word.
 * @param each the quotations by document, best first
 * @param limit for each document
 */
export const differences = (each: readonly (readonly Quotation[])[], limit: number): Quotation[] => {
  const said = each.map((quotations) => new Set(quotations.map(({ text }) => text)));
  return each.flatMap((quotations, at) =>
    quotations.filter(({ text }) => !said.some((texts, other) => other !== at && texts.has(text))).slice(0, limit),
  );
};
