import type { EmbeddingModel } from "../../../providers/contract.ts";
import { dot } from "../../domain/dot.ts";
import { familiarityOf } from "../../retrieval/contract.ts";
import type { Nearness } from "./quote.ts";

export type PassageModel = Pick<EmbeddingModel, "model" | "embed" | "fusionWeight">;

/** The configured built-in model where it knows the question's language as well as the static table, else the table. */
export const meaningModelFor = (question: string, configured: PassageModel, table: PassageModel): PassageModel => {
  const familiarity = (model: PassageModel): number =>
    familiarityOf(model.model === "static" ? "static" : "model", model.fusionWeight(question));
  return familiarity(configured) >= familiarity(table) ? configured : table;
};

/**
 * How near passages are to a question by a model's cosines: less, the less it knows the question's language. Without a model
 * that answers, none.
 */
export const nearnessBy =
  (model: PassageModel, signal: AbortSignal): Nearness =>
  async (question, texts) => {
    // Half of a language is enough for a transformer, whose whole weight is twice the table's.
    const known = familiarityOf("static", model.fusionWeight(question));
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
