import type { Config } from "../../../config/schema.ts";
import type { ChatModel, EmbeddingModel, Reranker } from "../../../providers/contract.ts";

/** The configured models, as they are checked. */
export interface CheckedModels {
  config: Pick<Config, "models">;
  /** Each makes a new adapter, so that a failure here does not open the circuit breaker of the one in use. */
  createAnswer(): ChatModel | null;
  createEmbedding(): Promise<EmbeddingModel>;
  createReranker(): Reranker | null;
  /** False where a built-in model that takes memory is not loaded for a trial alone. */
  triesBuiltin: boolean;
}
