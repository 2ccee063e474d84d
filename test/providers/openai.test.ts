import { afterAll } from "bun:test";
import { join } from "node:path";
import { adapters } from "./adapters.ts";
import { chatConformance, chatFaults, noQuirks } from "./chat-conformance.ts";
import { embeddingConformance, embeddingFaults } from "./embedding-conformance.ts";
import { readRecording, startReplay } from "./replay.ts";

const exchanges = readRecording(join(import.meta.dir, "recorded/openai.json"));
const server = startReplay(exchanges);
afterAll(() => server.stop());

const { chat, embedding } = adapters.openai;
// Recorded from Ollama's /v1.
chatConformance("openai", chat, () => server.url, { ...noQuirks, longPrompt: "cut" });
chatFaults("openai", chat, exchanges);
embeddingConformance("openai", embedding, () => server.url);
embeddingFaults("openai", embedding, exchanges, (vectors) => ({
  object: "list",
  model: "minilm",
  data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })),
}));
