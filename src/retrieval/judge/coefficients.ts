import type { FeatureName } from "./features.ts";

/**
 * The numbers of the judge, written by `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with
 * their article in the collection and without; bench/quality/gate/README.md says on which collections, and what it reaches
 * on those that were left out.
 */
export const coefficients: Readonly<Record<FeatureName, number>> = {
  offset: -6.35,
  covered: 6.65,
  alike: 0.47,
  narrow: 2.98,
  lead: 1.64,
  severalEach: -0.94,
  together: 1.18,
  namesMissing: -1.79,
  letters: -2.06,
  hasVectors: -1.47,
  nearestLead: 0.96,
};

/** Evidence (log odds) of questions whose answer is there, ascending. */
export const answerable: readonly number[] = [-3.16, -1.53, -0.65, -0.19, 0.26, 0.62, 0.99, 1.32, 1.66, 1.94, 2.18, 2.42, 2.65, 2.86, 3.08, 3.30, 3.48, 3.69, 3.92, 4.12, 4.30, 4.52, 4.71, 4.92, 5.08, 5.33, 5.51, 5.73, 5.89, 6.09, 6.29, 6.49, 6.75, 7.05, 7.36, 7.66, 8.02, 8.56, 9.41, 11.26];

/** How much more evidence such questions have in small stores, and for each unit of the measure `large`. */
export const bySize = { small: 0.78, large: 1.54 };

/**
 * A search shows what it found if one snippet has this part of the question, by the rarity of its words. Of 911 questions
 * with their document there (`bench/quality/gate`: source code, papers, encyclopedia, four languages) none has less, with
 * 50 documents one in 700; of questions from other collections half to four fifths. It also shows what is nearer in meaning
 * than this rise, whatever the words say: a paraphrase may share none of them. Of questions from other English collections,
 * 99 in 100 are below it (by MiniLM 98 to 99, by the static vectors 97 to 99).
 */
export const noise = { covered: 0.1, rise: 1.75 };
