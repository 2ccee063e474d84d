import { expect, test } from "bun:test";
import { startTestServer } from "../start-server.ts";
import { until } from "../until.ts";
import { expectParaphraseIsFound, ingestNotes, notes, searchTexts } from "./paraphrased-notes.ts";

/** Words of one line mean nearly the same to the model; the last of each is a word that no other model knows. */
const meanings = [
  ["schooner", "ship", "crew", "sailing", "zorvex"],
  ["left", "departed", "quandled"],
  ["harbour", "port", "plimthe"],
];
const dimensions = 64;

const add = (to: Float32Array, word: string, weight: number): void => {
  for (let at = 0; at < dimensions; at++)
    to[at] = (to[at] ?? 0) + weight * (Bun.hash(`${word} ${at}`) % 2n === 0n ? 1 : -1);
};

/** The sum of the vectors of the words: what a word means, and a little of its own. */
const vectorOf = (text: string): number[] => {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/\p{L}{4,}/gu) ?? []) {
    const meaning = meanings.find((words) => words.includes(word))?.[0] ?? word;
    add(vector, meaning, 1);
    add(vector, `${word}.`, 0.3);
  }
  const length = Math.hypot(...vector) || 1;
  return [...vector].map((value) => value / length);
};

/** An Ollama of its own, on loopback, with one embedding model. */
const startOllama = () =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { input } = (await request.json().catch(() => ({}))) as { input?: string[] };
      if (new URL(request.url).pathname === "/api/embed")
        return Response.json({ model: "near", embeddings: (input ?? []).map(vectorOf), prompt_eval_count: 1 });
      return Response.json({
        capabilities: ["embedding"],
        details: { family: "near" },
        model_info: { "general.architecture": "near", "near.embedding_length": dimensions, "near.context_length": 512 },
      });
    },
  });

test("a search finds what shares no word with the question by the vectors of an outside model", async () => {
  const ollama = startOllama();
  const server = await startTestServer(
    {},
    {
      configure({ models }) {
        Object.assign(models.embedding, {
          provider: "ollama",
          model: "near",
          baseUrl: `http://127.0.0.1:${ollama.port}`,
        });
      },
    },
  );
  try {
    await ingestNotes(server);
    // The model's vectors are made in the background.
    const embedded = async (): Promise<number> => {
      const documents = (await (await server.call("/api/document")).json()) as { embedded: boolean }[];
      return documents.filter((document) => document.embedded).length;
    };
    await until(async () => (await embedded()) === notes.length);
    // By other vectors these words are near to nothing, or to any note.
    expect((await searchTexts(server, "The zorvex quandled from its plimthe"))[0]).toBe(notes[0][1]);
    await expectParaphraseIsFound(server);
  } finally {
    await server.stop();
    await ollama.stop(true);
  }
}, 120_000);
