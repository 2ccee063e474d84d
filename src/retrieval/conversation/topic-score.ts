import { mapInStretches } from "../../async/map-in-stretches.ts";
import type { TermFrequencies } from "../../store/contract.ts";
import { analyzeQuery, denseShare } from "../../text/analysis/analyze.ts";
import { inverseDocumentFrequency } from "../../text/bm25.ts";
import type { Candidate } from "../candidates.ts";
import type { RetrievalRequest } from "../contract.ts";
import { withNameForms } from "../document-names.ts";
import { topicWeights } from "../fusion-weights.ts";
import { createTextScorer, queryWords, type TextScorer } from "../text-score.ts";
import { mergedTerms, weightedTexts } from "./conversation-terms.ts";
import { topicRaise } from "./topic-weight.ts";

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
  mapInStretches(candidates, ({ hit }) => scorer.score(hit).score);

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
