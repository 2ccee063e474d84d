import { expect, test } from "bun:test";
import { startTestServer } from "../start-server.ts";
import { expectParaphraseIsFound, ingestNotes, searchTexts } from "./paraphrased-notes.ts";

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
    await ingestNotes(server);
    await expectParaphraseIsFound(server);
  } finally {
    await server.stop();
  }
});

test("it does so too where the same was asked before its documents came", async () => {
  const server = await startTestServer();
  try {
    expect(await searchTexts(server, "A sailing ship departed from the port")).toEqual([]);
    await ingestNotes(server);
    await expectParaphraseIsFound(server);
  } finally {
    await server.stop();
  }
});
