import { expect, test } from "bun:test";
import { startTestServer } from "../start-server.ts";

const notes = [
  ["schooner", "The schooner left the harbour at dawn with a crew of six."],
  ["bakery", "The bakery on Mill Street sells rye bread on Fridays."],
  ["roses", "Roses are pruned in early March before new shoots appear."],
  ["budget", "The committee approved the budget for the coming year."],
] as const;

test.each(["static", "minilm"])("a search finds what shares no word with the question (%s)", async (model) => {
  const server = await startTestServer(
    {},
    {
      configure(config) {
        config.models.embedding.model = model;
      },
    },
  );
  try {
    for (const [name, text] of notes) expect((await server.post("/api/ingest", { name, text })).status).toBe(200);
    const search = async (query: string): Promise<string[]> => {
      const { relevantSnippets } = (await (await server.post("/api/search", { query })).json()) as {
        relevantSnippets: { metadata: { content: string } }[];
      };
      return relevantSnippets.map(({ metadata }) => metadata.content);
    };
    expect((await search("A sailing ship departed from the port"))[0]).toBe(notes[0][1]);
    // What is neither said nor meant is not shown.
    expect(await search("Which enzymes split lactose in yeast cultures?")).toEqual([]);
  } finally {
    await server.stop();
  }
});
