import { expect, test } from "bun:test";
import { join } from "node:path";
import { startFailingOllama } from "../models/failing-ollama.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { run } from "./run.ts";

const ollama = startFailingOllama();
const dataDir = await temporaryFolder("models");

const env = (embedder: string) => ({
  CARREL_DATA_DIR: dataDir,
  CARREL_MODELS_EMBEDDING_PROVIDER: "ollama",
  CARREL_MODELS_EMBEDDING_MODEL: embedder,
  CARREL_MODELS_EMBEDDING_BASE_URL: ollama.url,
});

test("models: what is usable, and status 1 with the reason where something is not", async () => {
  const good = await run(["models"], { env: env("embedder") });
  expect([good.status, good.err]).toEqual([0, ""]);
  expect(good.out).toContain(`embedding: embedder of ollama at ${ollama.url}\n  context  8192 tokens\n`);
  expect(good.out).toContain("  vectors  16 numbers\n  offered  writer, embedder\n  usable\n");

  const bad = await run(["models", "--json"], { env: env("writer") });
  expect([bad.status, bad.err]).toEqual([1, "carrel: Not usable as configured: models.embedding.\n"]);
  const [answer, embedding] = JSON.parse(bad.out);
  expect(answer).toMatchObject({ use: "answer", provider: "builtin", problems: [] });
  expect(embedding).toMatchObject({ use: "embedding", found: true, offered: ["writer", "embedder"] });
  expect(embedding.problems).toEqual([
    `model \`writer\` on ${ollama.url} writes text and makes no embeddings: name an embedding model in models.embedding.model`,
  ]);
});

test("embedder status: the active model, and the change that the configuration asks for", async () => {
  const withStatic = { CARREL_DATA_DIR: dataDir, CARREL_MODELS_EMBEDDING_MODEL: "static" };
  const first = await run(["embedder", "status", "--json"], { env: withStatic });
  expect(first.status).toBe(0);
  const builtin = { provider: "builtin", model: "static", dimensions: 256 };
  expect(JSON.parse(first.out)).toEqual({ active: builtin, building: null, pending: 0, error: null });

  // Without documents there is nothing to wait for: the configured model is active before it was reached.
  const changed = await run(["embedder", "status", "--json"], { env: env("embedder") });
  const active = { provider: "ollama", model: "embedder", dimensions: null };
  expect(JSON.parse(changed.out)).toEqual({ active, building: null, pending: 0, error: null });

  await run(["ingest", join(import.meta.dir, "../fixtures/documents/README.md")], { env: withStatic });
  const words = await run(["embedder", "status"], { env: env("embedder") });
  expect(words.out).toBe(
    "active    static (built in), 256 numbers\nbuilding  embedder of ollama: 0 of 1 documents done\npending   2 snippets\n",
  );
});
