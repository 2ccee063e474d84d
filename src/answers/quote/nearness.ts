import type { EmbeddingModel } from "../../../providers/contract.ts";
import { dot } from "../../domain/dot.ts";
import type { Nearness } from "./quote.ts";

export type PassageModel = Pick<EmbeddingModel, "embed" | "fusionWeight">;

/** What `fusionWeight` of the static model gives for a question in a language that it knows. */
const knownWeight = 0.25;

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
