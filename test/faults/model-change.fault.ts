import { expect, test } from "bun:test";
import { join } from "node:path";
import { startFakeOllama } from "../../bench/embedder/fake-ollama.ts";
import { type KillableServer, startKillable } from "../../bench/serving/killable-server.ts";
import { generateKey } from "../../src/access/key.ts";
import type { EmbedderStatus } from "../../src/embedder/embedder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { createClient } from "./client.ts";
import { createReport } from "./report.ts";
import { auditStore } from "./store-audit.ts";

const documents = 300;
const kills = 5;
const maxLifeMs = 300;
const model = "words-64";
const folder = await temporaryFolder("model-change");
const topicOf = (number: number) => `topic${number.toString(36)}x`;
const textOf = (number: number) =>
  `Report ${number}. The ${topicOf(number)} was inspected in the northern hall. Its keeper wrote a note about it.`;

test("killed at random moments of a change it resumes, answers throughout, and ends with the new model only", async () => {
  const ollama = startFakeOllama();
  const key = generateKey();
  let server: KillableServer | null = null;
  const start = async (settings: Record<string, string>) => {
    const command = [process.execPath, join(import.meta.dir, "../../src/main.ts")];
    server = startKillable(command, folder, { CARREL_ADMIN_KEY: key, ...settings });
    const client = createClient((await server.url) ?? "", key);
    const status = (): Promise<EmbedderStatus> => client.expect("GET", "/api/embedder");
    return {
      server,
      client,
      status,
      /** None before the change has begun, all once it is complete. */
      async done() {
        const { building, active } = await status();
        return building?.done ?? (active?.model === model ? documents : 0);
      },
      async askForAny() {
        const number = Math.floor(Math.random() * documents);
        const query = `Where was the ${topicOf(number)} inspected?`;
        const { relevantSnippets, receipt } = await client.expect("POST", "/api/search", { query });
        expect(relevantSnippets[0]?.metadata.content).toBe(textOf(number));
        expect(receipt.searched.vectors).toBeGreaterThan(0);
        expect(receipt.warnings).toEqual([]);
      },
    };
  };
  try {
    const before = await start({ CARREL_MODELS_EMBEDDING_MODEL: "static" });
    const lines = Array.from({ length: documents }, (_, at) => JSON.stringify({ name: `R ${at}`, text: textOf(at) }));
    await before.client.expect("POST", "/api/ingest/batch", lines.join("\n"));
    while ((await before.client.call("GET", "/api/document?limit=1&status=pending")).body.length > 0)
      await Bun.sleep(50);
    await before.server.stop();

    const changed = {
      CARREL_MODELS_EMBEDDING_PROVIDER: "ollama",
      CARREL_MODELS_EMBEDDING_MODEL: model,
      CARREL_MODELS_EMBEDDING_BASE_URL: ollama.url,
    };
    ollama.delayMs = 250;
    let doneWhenKilled = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const life = await start(changed);
      const endsAt = performance.now() + Math.random() * maxLifeMs;
      let done = await life.done();
      expect(done).toBeGreaterThanOrEqual(doneWhenKilled);
      // Each process gets further than the one before: the kills lie within the change, not before or after it.
      const share = (documents * kill) / (kills + 1);
      while (performance.now() < endsAt || done <= share || done === 0) {
        done = await life.done();
        await life.askForAny();
      }
      await life.server.kill();
      expect(done).toBeWithin(1, documents);
      doneWhenKilled = done;
    }

    const last = await start(changed);
    expect(await last.done()).toBeGreaterThanOrEqual(doneWhenKilled);
    while ((await last.status()).building !== null) await last.askForAny();
    ollama.delayMs = 0;
    for (let count = 0; count < 50; count += 1) await last.askForAny();
    const active = { provider: "ollama", model, dimensions: 64 };
    expect(await last.status()).toEqual({ active, building: null, pending: 0, error: null });
    await last.server.stop();
    const report = createReport();
    await auditStore(join(folder, "data"), report, "at the end");
    expect(report.half).toEqual([]);
  } finally {
    await (server as KillableServer | null)?.kill();
    await ollama.stop();
  }
});
