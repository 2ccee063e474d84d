import { join } from "node:path";
import type { EmbeddingModel } from "../../../providers/contract.ts";
import type { EvaluationSet, SetQuestion } from "../../../src/evaluation/sets.ts";
import { embeddingInput } from "../../../src/text/chunk/embedding-input.ts";
import { openSet, type ScoredPiece } from "../memory/open-set.ts";
import { snippetsOfSet } from "../memory/snippets-of-set.ts";
import { type Matches, match, maxSim, rarityIn, type Sum, sums } from "./max-sim.ts";
import { openTokenCache } from "./token-cache.ts";
import type { TokenVectors } from "./token-model.ts";

/** Candidates that are reranked, as many as a configured reranker gets. */
export const maxReranked = 30;

/** Texts after which their vectors are written. */
const batchSize = 64;

export const rankings = ["static", "minilm"] as const;
export type Ranking = (typeof rankings)[number];

/** A question with its first candidates, in the fused order. */
export interface Ranked {
  question: SetQuestion;
  /** How far it is in a language that MiniLM knows, 0 to 1. */
  languageShare: number;
  pieces: ScoredPiece[];
  /** Of the first candidates, for each way to add up. */
  scores: Record<Sum, number[]>;
}

export interface Models {
  index: EmbeddingModel;
  model: EmbeddingModel;
  tokens(text: string): TokenVectors;
  languageShare(question: string): number;
}

/** Spread over the set, so that no part of it is left out. */
const some = <Item>(items: readonly Item[], max: number): Item[] => {
  const step = Math.max(1, Math.ceil(items.length / max));
  return items.filter((_, at) => at % step === 0);
};

type Stored = Record<Ranking, Omit<Ranked, "question">[]>;

/**
 * Fused rankings of a set and the scores of late interaction for their first candidates; kept in the cache's folder.
 * @param label names the layer whose vectors are compared
 */
export const featuresOf = async (
  set: EvaluationSet,
  models: Models,
  label: string,
  options: { maxQuestions: number; cache: string },
): Promise<Record<Ranking, Ranked[]>> => {
  const questions = some(set.questions, options.maxQuestions);
  const withQuestions = (stored: Stored[Ranking]): Ranked[] =>
    stored.map((one, at) => ({ ...one, question: questions[at] as SetQuestion }));
  const file = Bun.file(join(options.cache, `${set.name}-${label}-${questions.length}.json`));
  const stored: Stored = (await file.exists())
    ? await file.json()
    : await compute(set, questions, models, label, options);
  await Bun.write(file, JSON.stringify(stored));
  return { static: withQuestions(stored.static), minilm: withQuestions(stored.minilm) };
};

const compute = async (
  set: EvaluationSet,
  questions: readonly SetQuestion[],
  { index, model, tokens, languageShare }: Models,
  label: string,
  { cache }: { cache: string },
): Promise<Stored> => {
  const opened = await openSet({ ...set, snippets: 50 }, { index, model }, cache);
  const vectors = await openTokenCache(cache, `${set.name}-${label}`, tokens);
  const snippets = await snippetsOfSet(set);
  const textAt = new Map(
    snippets.map((snippet) => [`${snippet.documentId} ${snippet.start}`, embeddingInput(snippet)]),
  );
  const passages: TokenVectors[] = [];
  for (const text of new Set(textAt.values())) {
    passages.push(vectors.of(text));
    if (passages.length % batchSize === 0) await vectors.save();
  }
  const rarity = rarityIn(passages);
  const searches = { static: opened.fused(0), minilm: opened.fused(1) };
  const result: Stored = { static: [], minilm: [] };
  for (const { text } of questions) {
    const asked = vectors.of(text);
    const known = new Map<string, Matches>();
    const matchOf = (passage: string): Matches => {
      const found = known.get(passage) ?? match(asked, vectors.of(passage));
      known.set(passage, found);
      return found;
    };
    for (const ranking of rankings) {
      const pieces = await searches[ranking](text);
      const matches = pieces
        .slice(0, maxReranked)
        .map(({ document, start }) => matchOf(textAt.get(`${document} ${start}`) ?? ""));
      const scored = sums.map((sum) => [sum, matches.map((one) => maxSim(sum, asked.pieces, one, rarity))] as const);
      const scores = Object.fromEntries(scored) as Ranked["scores"];
      result[ranking].push({ languageShare: languageShare(text), pieces, scores });
    }
  }
  await vectors.save();
  return result;
};
