import { isBuiltinStatic } from "../../providers/embedding/prefixes.ts";
import { nextSlice } from "../async/yield.ts";
import { analyzeQuery, denseShare, type QueryTerm } from "../text/analysis/analyze.ts";
import type { RetrievalRequest } from "./contract.ts";
import { mergedTerms } from "./conversation-terms.ts";
import type { Found } from "./find.ts";
import { type Measured, measure } from "./judge/features.ts";
import { readingsInChat } from "./judge/judge.ts";
import { familiarityOf } from "./judge/standing-out.ts";
import { weightedSum } from "./query-vector.ts";
import { type Candidate, scoreCandidates } from "./scores/candidates.ts";
import { withNameForms } from "./scores/document-names.ts";
import { createTextScorer, queryWords } from "./scores/text-score.ts";
import { withTopic } from "./topic-score.ts";

/** What was found, scored, and what the judge measures of it. */
interface Assessment {
  candidates: Candidate[];
  /** What is measured of each way to read the question; one without a chat, none where nothing is found. */
  readings: Measured[];
}

/**
 * Scores what was found, and measures it for the judge. Of a hostile text that takes
 * 100 ms in all: other work has its turn meanwhile.
 */
export const assess = async (found: Found, request: RetrievalRequest): Promise<Assessment> => {
  await nextSlice();
  const turns = found.texts.length;
  const whole = await read(found, request, turns, found.terms);
  if (turns === 1) return { candidates: whole.candidates, readings: whole.measured === null ? [] : [whole.measured] };
  const alone = await read(found, request, 1);
  const withLast = turns === 2 ? whole : await read(found, request, 2);
  return {
    candidates: await withTopic(whole.candidates, request, found.frequencies, whole.dense),
    readings: readingsInChat({ alone: alone.measured, withLast: withLast.measured, whole: whole.measured }),
  };
};

interface Reading {
  candidates: Candidate[];
  measured: Measured | null;
  /** Part of its terms that are of a script without spaces, 0 to 1. */
  dense: number;
}

/**
 * Reads the question with so many of the texts, itself included: the user's last one is next, and the answer the last.
 * @param terms of these texts
 */
const read = async (
  found: Found,
  request: RetrievalRequest,
  count: number,
  terms: readonly QueryTerm[] = withNameForms(mergedTerms(found.texts.slice(0, count)).terms, request.query),
): Promise<Reading> => {
  const { hits, frequencies, random, vectorLeg, modelLeg, foundByIndex } = found;
  const texts = found.texts.slice(0, count);
  const words = queryWords(count === 1 ? terms : heldTerms(terms, request, frequencies.counts), frequencies);
  const dense = denseShare(terms);
  const scorer = createTextScorer(words, frequencies.lengths, dense);
  const vectors = { index: weightedSum(texts, vectorLeg.vectors), model: weightedSum(texts, modelLeg.vectors) };
  const candidates = await scoreCandidates(hits, foundByIndex, scorer, vectors);
  // Without a model in reach there are no cosines of the index.
  const isIndexStatic = vectorLeg.model === null || isBuiltinStatic(vectorLeg.model);
  const modelWeight = isIndexStatic ? modelLeg.weight : vectorLeg.weight;
  const measured = measure({
    candidates,
    words,
    texts: texts.map(({ text }) => text),
    frequencies,
    dense,
    vector: vectors.index,
    modelVector: vectors.model,
    isIndexStatic,
    familiarity: {
      static: isIndexStatic ? familiarityOf("static", vectorLeg.weight) : 0,
      model: familiarityOf("model", modelWeight),
    },
    random,
  });
  return { candidates, measured, dense };
};

/**
 * The terms without those that occur only in earlier turns and in no document, such as the words a model put around its
 * last answer: they find nothing, and would make the judge believe that the documents lack what is asked for.
 */
const heldTerms = (
  terms: readonly QueryTerm[],
  { query }: RetrievalRequest,
  counts: ReadonlyMap<string, number>,
): readonly QueryTerm[] => {
  const own = new Set(analyzeQuery(query).terms.map(({ term }) => term));
  return terms.filter(({ term }) => own.has(term) || (counts.get(term) ?? 0) > 0);
};
