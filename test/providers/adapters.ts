import { Value } from "@sinclair/typebox/value";
import { configSchema } from "../../config/schema.ts";
import { createOllamaChat } from "../../providers/ollama/chat.ts";
import { createOllamaEmbedding } from "../../providers/ollama/embedding.ts";
import { createOpenAiChat } from "../../providers/openai/chat.ts";
import { createOpenAiEmbedding } from "../../providers/openai/embedding.ts";
import type { MakeChat } from "./chat-conformance.ts";
import type { MakeEmbedding } from "./embedding-conformance.ts";

/** The configuration's own defaults: what the adapters get when a file names nothing else. */
const defaults = Value.Create(configSchema);

/** The adapters as the suite makes them: the defaults with what a test changes. OpenAI's speak under `/v1`. */
export const adapters: Record<"ollama" | "openai", { chat: MakeChat; embedding: MakeEmbedding }> = {
  ollama: {
    chat: (model, settings) => createOllamaChat({ ...defaults.models.answer, ...settings }, model),
    embedding: (model, settings) =>
      createOllamaEmbedding({ ...defaults.models.embedding, ...settings }, model, () => 0.5),
  },
  openai: {
    chat: (model, settings) =>
      createOpenAiChat({ ...defaults.models.answer, ...settings, baseUrl: `${settings.baseUrl}/v1` }, model),
    embedding: (model, settings) =>
      createOpenAiEmbedding(
        { ...defaults.models.embedding, ...settings, baseUrl: `${settings.baseUrl}/v1` },
        model,
        () => 0.5,
      ),
  },
};
