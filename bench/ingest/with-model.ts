/**
 * Ingest and questions beside an outside embedding model:
 *
 *     bun bench/ingest/with-model.ts [BINARY|-] [--ollama URL --model NAME] [--documents N] [--text-ms N]
 *
 * Without `--ollama` a fake of Ollama embeds one text after another, each in `--text-ms` (10). The program reaches the
 * server through a forwarder on the loopback address, which is stopped to see what a stopped server costs. Prints, for
 * the server stopped and running: documents a second taken in and found, questions meanwhile, and the time until all
 * vectors are there against the model alone asked for the same inputs in the same run, before and after.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { defaultConfig } from "../../config/load.ts";
import { createOllamaEmbedding } from "../../providers/ollama/embedding.ts";
import { embeddingInput } from "../../src/text/chunk/chunk.ts";
import { chunkText } from "../../src/text/chunk/chunk-text.ts";
import { startFakeOllama } from "../embedder/fake-ollama.ts";
import { createCorpus } from "../serving/corpus.ts";
import { ms, quantile, show } from "../serving/figures.ts";
import { commandOf, ingestAll, type Program, post, startProgram, temporaryFolder } from "../serving/program.ts";
import { untilVectors } from "../serving/until-vectors.ts";

const clients = 16;
const characters = 800;
const questionEveryMs = 200;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    ollama: { type: "string" },
    model: { type: "string", default: "words-64" },
    documents: { type: "string", default: "600" },
    "text-ms": { type: "string", default: "10" },
  },
});
const count = Number(values.documents);
const fake = values.ollama === undefined ? startFakeOllama() : null;
if (fake !== null) fake.textMs = Number(values["text-ms"]);
const target = values.ollama ?? fake?.url ?? "";

/** Forwards to the model server until it is stopped. */
const startForwarder = (port = 0) =>
  Bun.serve({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = request.method === "GET" ? null : await request.bytes();
      return fetch(`${target}${pathname}`, {
        method: request.method,
        body,
        headers: { "content-type": "application/json" },
      });
    },
  });
let forwarder = startForwarder();
const port = forwarder.port ?? 0;
const baseUrl = `http://127.0.0.1:${port}`;
process.env.CARREL_MODELS_EMBEDDING_PROVIDER = "ollama";
process.env.CARREL_MODELS_EMBEDDING_MODEL = values.model;
process.env.CARREL_MODELS_EMBEDDING_BASE_URL = baseUrl;

const corpus = createCorpus(7);
const documentsFor = (round: string) =>
  Array.from({ length: count }, (_, at) => ({ name: `${round} ${at}`, text: corpus.document(characters) }));
const inputsOf = (documents: readonly { text: string }[]): string[] =>
  documents.flatMap(({ text }) => chunkText(text, []).map(embeddingInput));

/** Milliseconds in which the model alone embeds the texts, as Carrel's own adapter asks it. */
const embedAlone = async (inputs: readonly string[]): Promise<number> => {
  const settings = { ...defaultConfig().models.embedding, baseUrl, model: values.model };
  const model = createOllamaEmbedding(settings, values.model, () => 1);
  const started = performance.now();
  await model.embed(inputs, "document", new AbortController().signal);
  return performance.now() - started;
};

const vectorsPollMs = 250;

interface Status {
  active: { model: string };
  building: { done: number; total: number } | null;
  pending: number;
  error: string | null;
}
const statusOf = async (program: Program): Promise<Status> =>
  (await (await fetch(`${program.url}/api/embedder`, { headers: program.headers })).json()) as Status;
/** Asks until told to end. @returns how long each question took, in milliseconds */
const askUntil = async (program: Program, end: Promise<unknown>): Promise<number[]> => {
  const took: number[] = [];
  let isOver = false;
  void end.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const started = performance.now();
    await post(program, "/api/search", { query: corpus.question() });
    took.push(performance.now() - started);
    await Bun.sleep(questionEveryMs);
  }
  return took;
};
const showQuestions = (what: string, took: readonly number[]) =>
  show(what, `p50 ${ms(quantile(took, 0.5))}, p95 ${ms(quantile(took, 0.95))} (${took.length} questions)`);
const perSecond = (tookMs: number) => `${((count * 1_000) / tookMs).toFixed(0)} documents/s`;
const seconds = (tookMs: number) => `${(tookMs / 1_000).toFixed(1)} s`;

const folder = temporaryFolder();
try {
  const command = commandOf(positionals[0]);

  const away = documentsFor("away");
  await forwarder.stop(true);
  let program = await startProgram(command, join(folder.path, "away"));
  show("taken in and found, server stopped", perSecond(await ingestAll(program, away, clients)));
  showQuestions("questions, server stopped", await askUntil(program, Bun.sleep(10_000)));
  const before = await statusOf(program);
  show("snippets without vectors, server stopped", `${before.pending} (error: ${before.error})`);
  forwarder = startForwarder(port);
  const backAt = performance.now();
  await untilVectors(program, vectorsPollMs);
  show("server back: all vectors there after", seconds(performance.now() - backAt));
  const url = `${program.url}/api/document?limit=100&skip=`;
  let embedded = 0;
  for (let skip = 0; skip < count; skip += 100) {
    const page = (await (await fetch(url + skip, { headers: program.headers })).json()) as { embedded: boolean }[];
    embedded += page.filter((document) => document.embedded).length;
  }
  show("documents with their vectors", `${embedded} of ${count}`);
  await program.stop();

  const documents = documentsFor("there");
  const inputs = inputsOf(documents);
  const aloneBefore = await embedAlone(inputs);
  program = await startProgram(command, join(folder.path, "there"));
  const started = performance.now();
  show("taken in and found, server running", perSecond(await ingestAll(program, documents, clients)));
  await untilVectors(program, vectorsPollMs);
  const followed = performance.now() - started;
  const aloneAfter = await embedAlone(inputs);
  const alone = (aloneBefore + aloneAfter) / 2;
  show(
    "the model alone, before and after",
    `${seconds(aloneBefore)}, ${seconds(aloneAfter)} (${inputs.length} inputs)`,
  );
  show("all vectors there, from the first document on", seconds(followed));
  show("ratio (aim: at most 1.1)", (followed / alone).toFixed(2));

  await ingestAll(program, documentsFor("more"), clients);
  showQuestions("questions while vectors are made", await askUntil(program, untilVectors(program, vectorsPollMs)));
  showQuestions("questions at rest", await askUntil(program, Bun.sleep(5_000)));
  await program.stop();
} finally {
  folder.remove();
  await forwarder.stop(true);
  await fake?.stop();
}
