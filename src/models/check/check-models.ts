import { checkAnswer } from "./check-answer.ts";
import { checkEmbedding } from "./check-embedding.ts";
import { checkReranker } from "./check-reranker.ts";
import type { CheckedModels } from "./checked-models.ts";
import type { ModelReport } from "./model-report.ts";

/**
 * Asks each configured server what it offers, and tries what can be tried with a few words.
 * @returns one report for each use; failures are part of it
 */
export const checkModels = async (checked: CheckedModels, signal: AbortSignal): Promise<ModelReport[]> => {
  const uses = ["answer", "embedding", "reranker"] as const;
  const reports = await Promise.all(uses.map((use) => checkModel(use, checked, signal)));
  return reports.filter((report) => report !== null);
};

/** As `checkModels`, for one use. @returns null where no model is configured for it */
export const checkModel = async (
  use: ModelReport["use"],
  checked: CheckedModels,
  signal: AbortSignal,
): Promise<ModelReport | null> => {
  const { answer, embedding, reranker } = checked.config.models;
  if (use === "answer") return checkAnswer(answer, checked, signal);
  if (use === "embedding") return checkEmbedding(embedding, checked, signal);
  return checkReranker(reranker, checked, signal);
};
