import { mapInSlices } from "../../async/yield.ts";
import { dot } from "../../domain/dot.ts";
import type { SnippetHit } from "../../store/contract.ts";
import { namingWeight } from "./fusion-weights.ts";
import type { TextScorer } from "./text-score.ts";

/** Documents of about three snippets are short, of about thirty long. */
const shortDocument = Math.log(3);
const longDocument = Math.log(30);

/**
 * How much the snippets come from long documents, 0 to 1, judged by their places: in a document of n snippets they are at
 * n / 2 on average. The logarithm keeps one long book from deciding for many notes.
 */
export const lengthShare = (legs: readonly (readonly Pick<SnippetHit, "position">[])[]): number => {
  let sum = 0;
  let count = 0;
  for (const leg of legs) {
    for (const { position } of leg) {
      sum += Math.log(1 + 2 * position);
      count++;
    }
  }
  if (count === 0) return 0;
  return Math.min(1, Math.max(0, (sum / count - shortDocument) / (longDocument - shortDocument)));
};

/** A snippet found by full text or vectors, with all scores. */
export interface Candidate {
  hit: SnippetHit;
  /** BM25 of all its fields. */
  text: number;
  /** What the words of the question that name its document add to the text score; 0 where documents are short. */
  naming: number;
  /** Part of the question's words that it contains, weighted by rarity, 0 to 1. */
  coverage: number;
  /** Cosine of its vector in the index with the question's; null if one of them is missing. */
  cosine: number | null;
  /** The same for the model of the vector set. */
  modelCosine: number | null;
  /** Neither full text nor the index's vectors found it. */
  isFoundByModelAlone: boolean;
}

/** The question's vectors; null where a model failed or there is none. */
interface QuestionVectors {
  index: Float32Array | null;
  model: Float32Array | null;
}

/** The hits of all legs, each once. */
export const unionOf = (legs: readonly (readonly SnippetHit[])[]): SnippetHit[] => {
  const hits = new Map<string, SnippetHit>();
  for (const leg of legs) for (const hit of leg) if (!hits.has(hit.id)) hits.set(hit.id, hit);
  return [...hits.values()];
};

/**
 * The hits with all scores. Other work has its turn meanwhile: hits of a text without sense have thousands of terms.
 * @param found ids of those that full text or the index's vectors found
 */
export const scoreCandidates = (
  hits: readonly SnippetHit[],
  found: ReadonlySet<string>,
  scorer: TextScorer,
  vectors: QuestionVectors,
): Promise<Candidate[]> => {
  const weight = namingWeight * lengthShare([hits]);
  return mapInSlices(hits, (hit) => {
    const { score, coverage, naming } = scorer.score(hit);
    return {
      hit,
      text: score,
      naming: weight * naming,
      coverage,
      cosine: cosineOf(vectors.index, hit.vector),
      modelCosine: cosineOf(vectors.model, hit.modelVector),
      isFoundByModelAlone: !found.has(hit.id),
    };
  });
};

/** A vector of zeros stands for a text that the model refused. */
const cosineOf = (question: Float32Array | null, vector: Float32Array | null): number | null =>
  question === null || vector === null || !vector.some((value) => value !== 0) ? null : dot(question, vector);
