/** The adapters' suite against the real servers. */
import { adapters } from "../providers/adapters.ts";
import { chatConformance } from "../providers/chat-conformance.ts";
import { embeddingConformance } from "../providers/embedding-conformance.ts";
import { realServers } from "./servers.ts";

const { ollama, openai } = realServers;
if (ollama !== null)
  for (const vendor of ["ollama", "openai"] as const) {
    const name = vendor === "ollama" ? "Ollama" : "Ollama's /v1";
    chatConformance(name, adapters[vendor].chat, () => ollama);
    embeddingConformance(name, adapters[vendor].embedding, () => ollama);
  }
if (openai !== null) {
  // It lets its first model answer under any name.
  const quirks = { tellsMissing: false };
  chatConformance("llama-cpp-python", adapters.openai.chat, () => openai, quirks);
  embeddingConformance("llama-cpp-python", adapters.openai.embedding, () => openai, quirks);
}
