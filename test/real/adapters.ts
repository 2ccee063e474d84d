/** The adapters' suite against the real servers. */
import { adapters } from "../providers/adapters.ts";
import { chatConformance, noQuirks, type Quirks } from "../providers/chat-conformance.ts";
import { embeddingConformance } from "../providers/embedding-conformance.ts";
import { realServers } from "./servers.ts";

const { ollama, openai } = realServers;
if (ollama !== null)
  for (const vendor of ["ollama", "openai"] as const) {
    const name = vendor === "ollama" ? "Ollama" : "Ollama's /v1";
    const quirks: Quirks = vendor === "ollama" ? noQuirks : { ...noQuirks, longPrompt: "cut" };
    chatConformance(name, adapters[vendor].chat, () => ollama, quirks);
    embeddingConformance(name, adapters[vendor].embedding, () => ollama);
  }
if (openai !== null) {
  // It lets its first model answer under any name.
  const quirks: Quirks = { tellsMissing: false, countsTokens: false, longPrompt: "refused" };
  chatConformance("llama-cpp-python", adapters.openai.chat, () => openai, quirks);
  embeddingConformance("llama-cpp-python", adapters.openai.embedding, () => openai, quirks);
}
