import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { serve } from "../serve.ts";
import { adapters } from "./adapters.ts";
import { chatConformance, chatFaults, failure } from "./chat-conformance.ts";
import { embeddingConformance, embeddingFaults } from "./embedding-conformance.ts";
import { readRecording, startReplay } from "./replay.ts";

const exchanges = readRecording(join(import.meta.dir, "recorded/ollama.json"));
const server = startReplay(exchanges);
afterAll(() => server.stop());

const { chat, embedding } = adapters.ollama;
chatConformance("ollama", chat, () => server.url);
chatFaults("ollama", chat, exchanges);
embeddingConformance("ollama", embedding, () => server.url);
embeddingFaults("ollama", embedding, exchanges, (vectors) => ({ model: "minilm", embeddings: vectors }));

test("a model that was replaced by one of another length: the advice is to restart", async () => {
  let length = 3;
  const changing = serve(({ url }) =>
    Response.json(
      url.endsWith("/api/show")
        ? {
            capabilities: ["embedding"],
            model_info: { "general.architecture": "bert", "bert.embedding_length": length },
          }
        : { embeddings: [new Array(length).fill(0.5)] },
    ),
  );
  const model = embedding("vectors", { baseUrl: changing.url });
  const embed = () => model.embed(["a text"], "document", new AbortController().signal);
  expect((await embed())[0]).toHaveLength(3);
  length = 4;
  const error = await failure(embed());
  expect(error.kind).toBe("bad_answer");
  expect(error.message).toContain("restart Carrel if the model was replaced");
});
