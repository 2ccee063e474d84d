import { expect, test } from "bun:test";
import { warmUp } from "../../src/program/warm-up.ts";
import { startTestServer, type TestServer } from "../start-server.ts";
import { silentLog } from "../store/open-temporary-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";

let server: TestServer;
const dataDir = await temporaryFolder("warm");
server = await startTestServer({}, {}, dataDir);

/** Warms up and waits for the end. @returns how many texts were embedded */
const embeddedBy = async (isBusy: boolean): Promise<number> => {
  const { deps } = server.program;
  let embedded = 0;
  const embedder: Pick<typeof deps.embedder, "ingestModelFor"> = {
    ingestModelFor(index) {
      const model = deps.embedder.ingestModelFor(index);
      if (model === null) return null;
      return {
        ...model,
        embed(texts, purpose, signal) {
          embedded += texts.length;
          return model.embed(texts, purpose, signal);
        },
      };
    },
  };
  await warmUp({ ...deps, embedder, isBusy: () => isBusy }).done;
  return embedded;
};

test("questions are asked where there are documents, and no request is answered", async () => {
  expect(await embeddedBy(false)).toBe(0);
  await server.post("/api/ingest", { name: "Heron", text: "The heron nests in the reeds at pond one." });
  expect(await embeddedBy(true)).toBe(0);
  expect(await embeddedBy(false)).toBe(2);
});

test("a start with documents warms the search up", async () => {
  await server.stop();
  const said: unknown[] = [];
  const log: typeof silentLog = Object.assign(Object.create(silentLog), { debug: (line: unknown) => said.push(line) });
  server = await startTestServer({}, { log, adminKey: server.key }, dataDir);
  await until(() => said.includes("the search is warmed up"));
});
