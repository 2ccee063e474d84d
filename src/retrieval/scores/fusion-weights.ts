/**
 * The fusion weights: every number that a score is multiplied by or raised to. Measured with bench/quality over the sets
 * in docs/quality.md; the quality floors of test/evaluation hold them in place. The weight of each embedding model is in
 * `fusionWeight` of its provider (providers/builtin/fusion-weight.ts and providers/builtin).
 */

/** A term in the title counts once, as if it stood in the text this many times (BM25F); in headings as often as there. */
export const titleWeight = 3;

/**
 * Weights of titles and headings in LanceDB's query, which only chooses the candidates. Titles count more there, so that
 * the candidates come from the documents that the question names: bench/quality/long-documents.
 */
export const candidateFieldWeights = { titleWeight: 3, headingWeight: 1 };

/**
 * What a word of the question in a document's name adds to the text score, as a multiple of its rarity among names, where
 * documents are long (document-length.ts). Measured with bench/quality/long-documents: 1 brings the right document first
 * less often, 3 and 4 begin to harm where names are prose.
 */
export const namingWeight = 2;

/**
 * Weight in LanceDB's query of another form of a year or code, such as `fy19`: as a rare term it would outweigh the name,
 * since full text does not know that it is the same.
 */
export const rareFormWeight = 0.3;

/**
 * The share of the vectors is the model's weight times `whole` less the coverage, which is the part of the question's
 * words that the best snippet by full text contains. Measured: the more of a question full text finds, the less vectors
 * add, until they harm. Where it finds less than `poorly`, they count more by `steeper` times what is missing, up to
 * `most`: of 80 everyday asks in other words than the documents, the passage comes first for 28 instead of 23 (MiniLM: 35
 * instead of 31), and no exam set loses (bench/quality/ranking.md).
 */
export const vectorShares = { whole: 1.35, poorly: 0.5, steeper: 4, most: 0.75 };

/**
 * What the vectors count of their weight where the question has a number: years and amounts often decide, and vectors do not
 * tell them apart. Worth 2.9 points of nDCG@10 over financial reports and .3 over excerpts of long documents; with none of
 * their weight .6 and .1 more, but .2 less over manuals (bench/quality/ranking.md).
 */
export const vectorShareWithNumbers = 0.25;

/**
 * Powers of the two scores before they are added: a lead in one of them counts more than an average place in both. BM25
 * scores are close together at the top, cosines in the middle of their range.
 */
export const scorePowers = { text: 1.5, vector: 2 };

/**
 * A line through the candidates that have both vectors is as flat as if this many more candidates showed no connection
 * of the two.
 */
export const estimatePrior = 8;

/** What each snippet already chosen from a document takes off the score of its next one: decides only near ties. */
export const sameDocumentCost = 0.015;

/**
 * Weights of earlier turns beside the question (1): the user's last turn and the last answer. Each turn further back has
 * `decay` times the weight of the one after it.
 */
export const turnWeights = { user: 0.2, answer: 0.1, decay: 0.7 };

/**
 * What the turns before a follow-up weigh in its text score (topic-weight.ts), in words that one snippet alone has:
 * `rareWords` at most, while the question's own words lead elsewhere by less than `stays`; nothing of it from `leaves` on.
 * `aboutTopic`: a candidate is about the topic with this part of the best one's score by the earlier turns.
 * `lasting` remains in any case, less where the question's own words are rarer together than `wholeQuestion` of those.
 * `denseWord`: by how much a word counts more in scripts without spaces. `maxScale`: no word of an earlier turn counts
 * more than this many times its weight. The part `shared` of a topic's score is the same for all snippets from documents of
 * one name. Measured with bench/quality/follow-ups.ts.
 */
export const topicWeights = {
  rareWords: 2.5,
  stays: 0.75,
  leaves: 1.75,
  aboutTopic: 0.5,
  lasting: 1.5,
  wholeQuestion: 2,
  denseWord: 0.5,
  maxScale: 3,
  shared: 0.7,
};
