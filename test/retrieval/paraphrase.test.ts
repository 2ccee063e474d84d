import { expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../start-server.ts";
import { until } from "../until.ts";
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
    if (model === "minilm") await expectNearestIsQuoted(server);
  } finally {
    await server.stop();
  }
});

/** Words alone find nothing here: the model that knows other words for the same tells what is nearest. */
const expectNearestIsQuoted = async (server: TestServer): Promise<void> => {
  await server.post("/api/ingest", {
    name: "Rowing club house rules",
    text: "# House rules\n\n- Dogs stay outside, also on a lead.\n- Lockers are emptied on 31 December.\n- Nobody rows alone after sunset.\n",
  });
  await until(async () => {
    const { answer, receipt } = (await (
      await server.post("/api/query", { query: "May I take my puppy into the clubhouse?" })
    ).json()) as { answer: string; receipt: { certainty: string } };
    return receipt.certainty === "unsure" && answer.includes("Dogs stay outside, also on a lead. [1]");
  }, "the nearest passage is quoted, as unsure");
};

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
