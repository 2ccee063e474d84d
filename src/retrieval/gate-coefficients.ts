/**
 * The coefficients of the relevance gate, which refuses a question when the documents do not seem to contain its answer.
 *
 * They belong to a logistic function and were fitted on seven collections in six languages: the collections' own
 * questions against those of the other collections, and against those whose articles were held out. Measured:
 *
 * | questions | refused at threshold 0.5 (default) | at 0.3 |
 * |---|---|---|
 * | that have an answer | 0 to 5 % | 0 to 2.5 % |
 * | of another collection | 90 to 100 % | 86 to 100 % |
 * | about held-out articles of the same collection | 70 to 90 % | 50 to 80 % |
 *
 * On collections that they were not fitted on, asked by bare phrases, the default refuses 0 to 11 % of the first kind and
 * 89 to 98 % of the second.
 */

export const gateCoefficients = { coverage: 8.4, text: 17.7, dense: 2, brevity: -3.5, offset: -5 };

/**
 * Coefficients of the cosine, by model. Cosines of different models cannot be compared, so they count only for models
 * that were fitted; `fullWeight` is what the model's `fusionWeight` gives for a question in its language.
 */
export const cosineCoefficients: Record<string, { cosine: number; known: number; fullWeight: number }> = {
  "builtin/static": { cosine: 7.4, known: -3.9, fullWeight: 0.25 },
  "builtin/minilm": { cosine: 13.5, known: -6.2, fullWeight: 0.5 },
};

/** Snippets that the gate looks at, from the best. */
export const gateSnippets = 3;

/**
 * Part of the threshold that applies to a search without an answer: its reader judges the snippets, so a doubtful one is
 * better than none. Measured: under 1 % of the questions that have an answer find nothing then, and 77 to 95 % of those
 * of another collection.
 */
export const searchThresholdShare = 0.1;
