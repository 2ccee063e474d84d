import type { EmbeddingModel } from "../../providers/contract.ts";

/**
 * Models that tell of their answers: one given to a question shows that the model's server can be reached again.
 * @param onAnswer called after each answer
 * @returns the same model, listening; always the same object for one id
 */
export const createListeningModels = (
  onAnswer: () => void,
): ((id: string, model: EmbeddingModel) => EmbeddingModel) => {
  const known = new Map<string, EmbeddingModel>();
  return (id, model) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const listening: EmbeddingModel = {
      ...model,
      async embed(texts, kind, signal) {
        const vectors = await model.embed(texts, kind, signal);
        onAnswer();
        return vectors;
      },
    };
    known.set(id, listening);
    return listening;
  };
};
