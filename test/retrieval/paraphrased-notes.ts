import { expect } from "bun:test";
import type { TestServer } from "../start-server.ts";

/** Notes, of which one is asked about in other words. */
export const notes = [
  ["schooner", "The schooner left the harbour at dawn with a crew of six."],
  ["bakery", "The bakery on Mill Street sells rye bread on Fridays."],
  ["roses", "Roses are pruned in early March before new shoots appear."],
  ["budget", "The committee approved the budget for the coming year."],
] as const;

export const ingestNotes = async (server: TestServer): Promise<void> => {
  for (const [name, text] of notes) expect((await server.post("/api/ingest", { name, text })).status).toBe(200);
};

/** The texts that a search finds, the best first. */
export const searchTexts = async (server: TestServer, query: string): Promise<string[]> => {
  const { relevantSnippets } = (await (await server.post("/api/search", { query })).json()) as {
    relevantSnippets: { metadata: { content: string } }[];
  };
  return relevantSnippets.map(({ metadata }) => metadata.content);
};

export const expectParaphraseIsFound = async (server: TestServer): Promise<void> => {
  expect((await searchTexts(server, "A sailing ship departed from the port"))[0]).toBe(notes[0][1]);
  // What is neither said nor meant is not shown.
  expect(await searchTexts(server, "Which enzymes split lactose in yeast cultures?")).toEqual([]);
};
