import type { FeatureName } from "./features.ts";

/**
 * The numbers of the judge, written by `bench/quality/gate/fit.ts`, which fits a logistic function to questions asked with
 * their article in the collection and without; bench/quality/gate/README.md says on which collections, and what it reaches
 * on those that were left out.
 */
export const coefficients: Readonly<Record<FeatureName, number>> = {
  offset: -6.6,
  covered: 6.56,
  alike: 0.46,
  narrow: 2.93,
  lead: 1.71,
  severalEach: -0.85,
  together: 1.11,
  namesMissing: -1.89,
  letters: -1.95,
  nearestLead: 0.18,
};

/** Evidence (log odds) of questions whose answer is there, ascending. */
export const answerable: readonly number[] = [
  -3.11, -1.4, -0.69, -0.15, 0.29, 0.6, 0.89, 1.27, 1.53, 1.78, 2.08, 2.33, 2.57, 2.77, 2.98, 3.18, 3.4, 3.59, 3.8,
  3.99, 4.21, 4.39, 4.58, 4.8, 5.0, 5.21, 5.44, 5.61, 5.81, 5.97, 6.19, 6.43, 6.69, 6.93, 7.25, 7.57, 7.94, 8.47, 9.35,
  10.92,
];

/** How much more evidence such questions have in small stores, and for each unit of the measure `large`. */
export const bySize = { small: 0.49, large: 2.77 };

/**
 * A search shows what it found if one snippet has this part of the question, by the rarity of its words. Of 911 questions
 * with their document there (`bench/quality/gate`: source code, papers, encyclopedia, four languages) none has less, with
 * 50 documents one in 700; of questions from other collections half to four fifths. It also shows what is nearer in meaning
 * than this rise, whatever the words say: a paraphrase may share none of them. Of questions from other English collections,
 * 99 in 100 are below it (by MiniLM 98 to 99, by the static vectors 97 to 99).
 */
export const noise = { covered: 0.1, rise: 1.75 };
