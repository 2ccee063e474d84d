import { isDenseTerm } from "../../text/analysis/analyze.ts";
import type { QueryWord } from "../text-score.ts";

/** Standard deviations that the luckiest of some hundred snippets lies above their mean. */
const bestOfMany = 2;
/** In a store of a few snippets a word is in half of them because it is what they are about. */
const maxChance = 0.6;

/**
 * The part of the question, by the rarity of its words, that the best of many snippets has by chance: of pairs of
 * characters, which occur in other words too. In an alphabet, such as Thai's, it is some 40 %, of ideographs 5 %. Words are
 * rarely there by chance.
 */
export const chanceShare = (
  words: readonly QueryWord[],
  total: number,
  snippets: number,
  countOf: (term: string) => number,
): number => {
  if (total === 0 || snippets === 0) return 0;
  let mean = 0;
  let variance = 0;
  for (const { forms, weight } of words) {
    const [form] = forms;
    if (form === undefined || !isDenseTerm(form.term)) continue;
    const share = (weight * form.idf) / total;
    const likelihood = Math.min(1, countOf(form.term) / snippets);
    mean += share * likelihood;
    variance += share ** 2 * likelihood * (1 - likelihood);
  }
  return Math.min(maxChance, mean + bestOfMany * Math.sqrt(variance));
};
