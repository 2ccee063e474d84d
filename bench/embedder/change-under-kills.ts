import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { EmbedderStatus } from "../../src/embedder/embedder.ts";
import { openStore } from "../../src/store/open.ts";
import { startFakeOllama } from "./fake-ollama.ts";
import { createReportServer } from "./report-server.ts";

export interface KillOptions {
  documents: number;
  kills: number;
  /** The new model takes this long for each request of up to 32 texts. */
  delayMs: number;
  /** A process lives at most this long after it is ready. */
  maxLifeMs: number;
}

export interface KillFigures {
  /** Documents that had the new vectors when the process was killed, as far as it had said so, and at the next start. */
  rounds: { doneWhenKilled: number; doneAtNextStart: number }[];
  questions: number;
  slowestQuestionMs: number;
}

const newModel = "words-64";

/**
 * A store of many documents changes its embedding model while its server is killed with -9 again and again. Fails where
 * a question goes unanswered, where reported work is lost, or where anything of the old model is left.
 */
export const changeUnderKills = async (options: KillOptions): Promise<KillFigures> => {
  const ollama = startFakeOllama();
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-kills-"));
  const figures: KillFigures = { rounds: [], questions: 0, slowestQuestionMs: 0 };
  const server = createReportServer(dataDir, (ms) => {
    figures.questions += 1;
    figures.slowestQuestionMs = Math.max(figures.slowestQuestionMs, Math.round(ms));
  });
  /** Documents done; none before the change has begun, all of them once it is complete. */
  const doneOf = ({ building, active }: EmbedderStatus): number =>
    building?.done ?? (active?.model === newModel ? options.documents : 0);
  /** Documents that the started process finds done: at least those that the earlier one reported. */
  const resumed = async (): Promise<number> => {
    const done = doneOf(await server.status());
    const before = figures.rounds.at(-1);
    if (before) {
      before.doneAtNextStart = done;
      assert.ok(done >= before.doneWhenKilled, `${done} done, ${before.doneWhenKilled} before`);
    }
    return done;
  };
  const askForAny = () => server.askFor(Math.floor(Math.random() * options.documents));

  try {
    await server.start({ CARREL_MODELS_EMBEDDING_MODEL: "static" });
    await server.ingest(options.documents);
    await server.stop();

    const changed = {
      CARREL_MODELS_EMBEDDING_PROVIDER: "ollama",
      CARREL_MODELS_EMBEDDING_MODEL: newModel,
      CARREL_MODELS_EMBEDDING_BASE_URL: ollama.url,
    };
    ollama.delayMs = options.delayMs;
    for (let kill = 0; kill < options.kills; kill++) {
      await server.start(changed);
      const endsAt = performance.now() + Math.random() * options.maxLifeMs;
      let done = await resumed();
      // Each process gets further than the one before: the kills lie within the change, not before or after it.
      const share = (options.documents * kill) / (options.kills + 1);
      while (performance.now() < endsAt || done <= share || done === 0) {
        done = doneOf(await server.status());
        await askForAny();
      }
      await server.kill();
      figures.rounds.push({ doneWhenKilled: done, doneAtNextStart: 0 });
    }

    await server.start(changed);
    await resumed();
    while ((await server.status()).building !== null) await askForAny();
    assert.deepEqual((await server.status()).active, { provider: "ollama", model: newModel, dimensions: 64 });
    ollama.delayMs = 0;
    for (let count = 0; count < 50; count++) await askForAny();
    await server.stop();
    await assertNewModelOnly(join(dataDir, "data"), options.documents);
    return figures;
  } finally {
    await server.kill();
    await ollama.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const assertNewModelOnly = async (dataDir: string, documents: number): Promise<void> => {
  const tables = (await readdir(join(dataDir, "tables"))).filter((name) => name.startsWith("snippets_"));
  assert.equal(tables.length, 1);
  const store = await openStore({
    dataDir,
    index: () => Promise.reject(new Error("the store has an index")),
    log: pino({ level: "silent" }),
  });
  try {
    assert.equal(store.indexes.active().model, "static");
    assert.equal(store.indexes.building(), null);
    const set = store.vectors.active();
    assert.deepEqual([set?.provider, set?.model, set?.dimensions], ["ollama", newModel, 64]);
    assert.equal(store.vectors.building(), null);
    assert.equal((await store.vectors.pending()).snippets, 0);
    const organization = await store.organizations.upsert("default");
    const view = store.openSnippets();
    const tenant = { organizationId: organization.id, partitionId: null };
    // Each document's text is one snippet.
    const count = await view.count(tenant, { documentId: null, partitionId: null, metadata: null });
    assert.deepEqual(count, { documents, snippets: documents });
    view.close();
  } finally {
    await store.close();
  }
};
