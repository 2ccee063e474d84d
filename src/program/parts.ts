import type { ChatModel, EmbeddingModel, FileParser, Reranker } from "../../providers/contract.ts";
import type { FetchUrl } from "../ingest/fetch/contract.ts";
import type { FindOllama } from "../settings/answer-model.ts";

/** Parts that a caller brings instead of those the configuration names; tests do. */
export interface Parts {
  embeddings: EmbeddingModel;
  answerModel: ChatModel | null;
  reranker: Reranker | null;
  parser: FileParser;
  fetchUrl: FetchUrl;
  findOllama: FindOllama;
}
