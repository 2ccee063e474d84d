import { test } from "bun:test";
import { startTestServer } from "../start-server.ts";
import { expectParaphraseIsFound, ingestNotes } from "./paraphrased-notes.ts";

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
