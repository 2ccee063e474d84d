import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";

/** What every model takes that takes anything at all. */
const plainSentence = "A plain sentence.";

/** Whether the model takes texts at the moment. @throws ProviderError if it does not; the signal's reason */
export const embedPlainSentence = async (model: EmbeddingModel, signal: AbortSignal): Promise<void> => {
  await model.embed([plainSentence], "document", signal);
};

/**
 * Vectors of a few stored texts. A failure alone does not say whether the server is away or whether one of the texts made
 * it fail, in whatever way: some texts make a server close the connection, or a filter before it answer 403. So the model
 * gets a plain sentence after it.
 * @returns the failure, if the model takes the sentence: then one of the texts may be the reason
 * @throws the failure, if the model takes nothing; the signal's reason
 */
export const embedUnit = async (
  model: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[] | ProviderError> => {
  try {
    return await model.embed(texts, "document", signal);
  } catch (error) {
    if (!(error instanceof ProviderError) || signal.aborted) throw error;
    try {
      await embedPlainSentence(model, signal);
    } catch {
      throw error;
    }
    return error;
  }
};
