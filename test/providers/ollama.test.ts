import { afterAll, beforeAll } from "bun:test";
import { join } from "node:path";
import { adapters } from "./adapters.ts";
import { chatConformance, chatFaults } from "./chat-conformance.ts";
import { embeddingConformance, embeddingFaults } from "./embedding-conformance.ts";
import { type RunningServer, readRecording, startReplay } from "./replay.ts";

const exchanges = readRecording(join(import.meta.dir, "recorded/ollama.json"));
let server: RunningServer;
beforeAll(() => {
  server = startReplay(exchanges);
});
afterAll(() => server.stop());

const { chat, embedding } = adapters.ollama;
chatConformance("ollama", chat, () => server.url);
chatFaults("ollama", chat, exchanges);
embeddingConformance("ollama", embedding, () => server.url);
embeddingFaults("ollama", embedding, exchanges, (vectors) => ({ model: "minilm", embeddings: vectors }));
