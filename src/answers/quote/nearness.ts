import type { EmbeddingModel } from "../../../providers/contract.ts";
import { dot } from "../../domain/dot.ts";
import type { Nearness } from "./quote.ts";

export type PassageModel = Pick<EmbeddingModel, "model" | "embed" | "fusionWeight">;

/** What `fusionWeight` of the built-in models gives for a question in a language that they know. */
const fullWeights = { static: 0.25, others: 0.5 };
const knownWeight = fullWeights.static;

/** The configured built-in model where it knows the question's language as well as the static one, else that one. */
export const meaningModelFor = (question: string, configured: PassageModel, statics: PassageModel): PassageModel => {
  const share = (model: PassageModel): number =>
    model.fusionWeight(question) / (model.model === "static" ? fullWeights.static : fullWeights.others);
  return share(configured) >= share(statics) ? configured : statics;
};

/**
 * How near passages are to a question by a model's cosines: less, the less it knows the question's language. Without a model
 * that answers, none.
 */
export const nearnessBy =
  (model: PassageModel, signal: AbortSignal): Nearness =>
  async (question, texts) => {
    const known = Math.min(1, model.fusionWeight(question) / knownWeight);
    if (known === 0 || texts.length === 0) return [];
    try {
      const [asked] = await model.embed([question], "query", signal);
      const vectors = await model.embed(texts, "document", signal);
      return asked === undefined ? [] : vectors.map((vector) => known * Math.max(0, dot(asked, vector)));
    } catch {
      // Words alone tell then; the search has warned of the model.
      signal.throwIfAborted();
      return [];
    }
  };
