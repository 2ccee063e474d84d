import { topicWeights } from "../fusion-weights.ts";

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
