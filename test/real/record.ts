/**
 * Records the answers of a real server that the adapters' suite needs, for test/providers/recorded:
 *
 *     CARREL_TEST_OLLAMA=http://127.0.0.1:11434 bun test ./test/real/record.ts
 *
 * The server must offer the models parrot, thinker, babble and minilm.
 */
import { afterAll, beforeAll } from "bun:test";
import { join } from "node:path";
import { adapters } from "../providers/adapters.ts";
import { chatConformance, noQuirks } from "../providers/chat-conformance.ts";
import { embeddingConformance } from "../providers/embedding-conformance.ts";
import { type RunningServer, startRecorder } from "../providers/replay.ts";

const target = process.env.CARREL_TEST_OLLAMA;
if (!target) throw new Error("set CARREL_TEST_OLLAMA to the address of a real Ollama");

for (const vendor of ["ollama", "openai"] as const) {
  let recorder: RunningServer;
  beforeAll(() => {
    recorder = startRecorder(target, join(import.meta.dir, "../providers/recorded", `${vendor}.json`));
  });
  afterAll(() => recorder.stop());
  const longPrompt = vendor === "ollama" ? "refused" : "cut";
  chatConformance(vendor, adapters[vendor].chat, () => recorder.url, { ...noQuirks, longPrompt });
  embeddingConformance(vendor, adapters[vendor].embedding, () => recorder.url);
}
