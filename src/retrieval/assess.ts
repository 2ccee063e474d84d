import { isBuiltinStatic } from "../../providers/embedding/prefixes.ts";
import { mapInSlices, nextSlice } from "../async/yield.ts";
import type { TermFrequencies } from "../store/contract.ts";
import { analyzeQuery, denseShare, type QueryTerm } from "../text/analysis/analyze.ts";
import { inverseDocumentFrequency } from "../text/bm25.ts";
import { familiarityOf, type RetrievalRequest } from "./contract.ts";
import { mergedTerms, weightedTexts } from "./conversation-terms.ts";
import type { Found } from "./find.ts";
import { type Measured, measure } from "./judge/features.ts";
import { readingsInChat } from "./judge/judge.ts";
import { type Candidate, scoreCandidates } from "./scores/candidates.ts";
import { withNameForms } from "./scores/document-names.ts";
import { topicWeights } from "./scores/fusion-weights.ts";
import { createTextScorer, queryWords, type TextScorer } from "./scores/text-score.ts";
import { weightedSum } from "./search-with-model.ts";

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

/** A follow-up beside the turns before it. */
export interface TopicFit {
  /** What the question's own words score in each candidate. */
  own: readonly number[];
  /** What the words of the turns before it score in each. */
  topics: readonly number[];
  /** What all words of the question would score by their rarity: `total` of its scorer. */
  total: number;
  /** Rarity of a word that is in one snippet alone. */
  rarest: number;
  /** Part of the question's terms that belong to a script written without spaces, 0 to 1. */
  dense: number;
}

/**
 * By how much the turns before a follow-up raise the candidate that is most about them, as a score.
 *
 * Whether a question stays with the topic is told by its lead elsewhere: by how much its own words score better in the best
 * candidate than in the best of those about the topic. In dialogues over source code and XQuAD, nine of ten follow-ups lead
 * by less than 1.3 rare words, and nine of ten questions about something else by more than 1.2 (bench/quality/follow-ups.md).
 * Below `stays` the topic is raised fully, above `leaves` only by `lasting`, and less the more words of its own the question
 * has.
 *
 * In a script without spaces a word is more than one term, and so counts more than the rarest term.
 */
export const topicRaise = ({ own, topics, total, rarest, dense }: TopicFit): number => {
  const { rareWords, stays, leaves, aboutTopic, lasting, wholeQuestion, denseWord } = topicWeights;
  const rareWord = rarest * (1 + denseWord * dense);
  const least = aboutTopic * largest(topics);
  const within = own.filter((_, at) => (topics[at] ?? 0) >= least);
  const lead = (largest(own) - largest(within)) / rareWord;
  const fit = Math.min(1, Math.max(0, (leaves - lead) / (leaves - stays)));
  const left = Math.min(1, (wholeQuestion * rarest) / Math.max(total, Number.EPSILON));
  return rareWord * Math.max(rareWords * fit, lasting * left);
};

const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

/**
 * The candidates of a follow-up with text scores for their order: what the question's own words score, and what those of
 * the turns before it do, which together weigh as much as a few rare words while the question stays with the topic, and
 * less where its own words are found elsewhere (topic-weight.ts). Added up word by word, a long answer would outweigh a
 * question of a few words, and hold back one about something else. A part of what the turns score is that of the best
 * candidate from a document of the same name: the topic is the document, not the passage that was quoted last, which
 * would hide what else the document says.
 * @param dense as for the scorer of all words
 */
export const withTopic = async (
  candidates: readonly Candidate[],
  { query, history }: RetrievalRequest,
  frequencies: TermFrequencies,
  dense: number,
): Promise<Candidate[]> => {
  const [question, ...turns] = weightedTexts(query, history);
  if (question === undefined || turns.length === 0) return [...candidates];
  const { terms, isOfFunctionWords } = analyzeQuery(query);
  const own = createTextScorer(
    queryWords(isOfFunctionWords ? [] : withNameForms(terms, query), frequencies),
    frequencies.lengths,
    dense,
  );
  const earlier = createTextScorer(queryWords(mergedTerms(turns).terms, frequencies), frequencies.lengths, dense);
  const owns = await scoresBy(own, candidates);
  const topics = withShared(candidates, await scoresBy(earlier, candidates));
  const rarest = inverseDocumentFrequency(frequencies.snippets, 1);
  const raise = topicRaise({ own: owns, topics, total: own.total, rarest, dense: denseShare(terms) });
  const best = Math.max(0, ...topics);
  const scale = best === 0 ? 0 : Math.min(topicWeights.maxScale, raise / best);
  return candidates.map((candidate, at) => ({
    ...candidate,
    text: (owns[at] ?? 0) + scale * (topics[at] ?? 0),
  }));
};

const scoresBy = (scorer: TextScorer, candidates: readonly Candidate[]): Promise<number[]> =>
  mapInSlices(candidates, ({ hit }) => scorer.score(hit).score);

/** The scores with a part of the best one of the same document, or of documents with the same name. */
const withShared = (candidates: readonly Candidate[], scores: readonly number[]): number[] => {
  const names = topicNames(candidates);
  const best = new Map<string, number>();
  for (const [at, name] of names.entries()) best.set(name, Math.max(best.get(name) ?? 0, scores[at] ?? 0));
  const { shared } = topicWeights;
  return scores.map((score, at) => (1 - shared) * score + shared * (best.get(names[at] ?? "") ?? 0));
};

/** What each candidate's document is called. A name that most of the candidates have ("note") says nothing of a topic. */
const topicNames = (candidates: readonly Candidate[]): string[] => {
  const counts = new Map<string, number>();
  for (const { hit } of candidates) counts.set(hit.titleTerms, (counts.get(hit.titleTerms) ?? 0) + 1);
  return candidates.map(({ hit: { titleTerms, documentId } }) => {
    const isTelling = titleTerms !== "" && (counts.get(titleTerms) ?? 0) <= candidates.length / 2;
    return isTelling ? `name ${titleTerms}` : `document ${documentId}`;
  });
};
