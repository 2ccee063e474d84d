/** The chunk size: how long the pieces are that documents are cut into for search. */

/**
 * Longest chunk, in UTF-16 units. Found best on prose, tables and code (bench/quality): shorter chunks lose the context,
 * longer ones dilute it. Another value needs a new `analysisVersion` (../analysis/analyze.ts), so that stored documents
 * are indexed again.
 */
export const maxChunkCharacters = 1000;

/** A chunk is filled to at least this part before a good place to cut ends it. */
export const minFilledShare = 0.4;

/** A chunk that is filled to this part ends before a heading. */
export const headingFilledShare = 0.25;
