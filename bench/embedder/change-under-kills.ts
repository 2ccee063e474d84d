import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Static } from "@sinclair/typebox";
import pino from "pino";
import type { answerSchema } from "../../src/answers/schema.ts";
import type { EmbedderStatus } from "../../src/embedder/embedder.ts";
import { generateKey } from "../../src/keys/key-text.ts";
import { openStore } from "../../src/store/open.ts";
import { startFakeOllama } from "./fake-ollama.ts";

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

const main = join(import.meta.dir, "../../src/main.ts");
const newModel = "words-64";
const topicOf = (number: number) => `topic${number.toString(36)}x`;
const textOf = (number: number) =>
  `Report ${number}. The ${topicOf(number)} was inspected in the northern hall. Its keeper wrote a note about it.`;

/**
 * A store of many documents changes its embedding model while its server is killed with -9 again and again. Fails where
 * a question goes unanswered, where reported work is lost, or where anything of the old model is left.
 */
export const changeUnderKills = async (options: KillOptions): Promise<KillFigures> => {
  const ollama = startFakeOllama();
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-kills-"));
  const key = generateKey();
  const figures: KillFigures = { rounds: [], questions: 0, slowestQuestionMs: 0 };
  const running: { child?: Bun.Subprocess } = {};
  let url = "";

  const start = async (model: Record<string, string>) => {
    const child = Bun.spawn([process.execPath, main, "serve"], {
      cwd: dataDir,
      env: {
        PATH: process.env.PATH,
        TMPDIR: dataDir,
        CARREL_DATA_DIR: join(dataDir, "data"),
        CARREL_SERVER_PORT: "0",
        CARREL_ADMIN_KEY: key,
        CARREL_LOG_LEVEL: "error",
        ...model,
      },
      stdout: "pipe",
      stderr: "inherit",
    });
    running.child = child;
    const decoder = new TextDecoder();
    let output = "";
    for await (const piece of child.stdout) {
      output += decoder.decode(piece);
      url = /listens on (\S+)/.exec(output)?.[1] ?? "";
      if (url !== "") return child;
    }
    throw new Error(`the server did not start: ${output}`);
  };
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    assert.equal(response.status, 200);
    return (await response.json()) as T;
  };
  const status = () => call<EmbedderStatus>("/api/embedder");
  const askFor = async (number: number) => {
    const began = performance.now();
    const { relevantSnippets, receipt } = await call<Static<typeof answerSchema>>("/api/search", {
      query: `Where was the ${topicOf(number)} inspected?`,
    });
    figures.questions += 1;
    figures.slowestQuestionMs = Math.max(figures.slowestQuestionMs, Math.round(performance.now() - began));
    assert.equal(relevantSnippets[0]?.metadata.content, textOf(number));
    assert.ok(receipt.searched.vectors > 0);
    assert.deepEqual(receipt.warnings, []);
  };
  /** Documents done; none before the change has begun, all of them once it is complete. */
  const doneOf = ({ building, active }: EmbedderStatus): number =>
    building?.done ?? (active?.model === newModel ? options.documents : 0);
  /** Documents that the started process finds done: at least those that the earlier one reported. */
  const resumed = async (): Promise<number> => {
    const done = doneOf(await status());
    const before = figures.rounds.at(-1);
    if (before) {
      before.doneAtNextStart = done;
      assert.ok(done >= before.doneWhenKilled, `${done} done, ${before.doneWhenKilled} before`);
    }
    return done;
  };
  const anyDocument = () => Math.floor(Math.random() * options.documents);

  try {
    const first = await start({ CARREL_MODELS_EMBEDDING_MODEL: "static" });
    const numbers = Array.from({ length: options.documents }, (_, number) => number).values();
    const ingest = async () => {
      for (const number of numbers) await call("/api/ingest", { name: `Report ${number}`, text: textOf(number) });
    };
    await Promise.all(Array.from({ length: 16 }, ingest));
    first.kill("SIGTERM");
    await first.exited;

    const changed = {
      CARREL_MODELS_EMBEDDING_PROVIDER: "ollama",
      CARREL_MODELS_EMBEDDING_MODEL: newModel,
      CARREL_MODELS_EMBEDDING_BASE_URL: ollama.url,
    };
    ollama.delayMs = options.delayMs;
    for (let kill = 0; kill < options.kills; kill++) {
      const child = await start(changed);
      const endsAt = performance.now() + Math.random() * options.maxLifeMs;
      let done = await resumed();
      // Each process gets further than the one before: the kills lie within the change, not before or after it.
      const share = (options.documents * kill) / (options.kills + 1);
      while (performance.now() < endsAt || done <= share || done === 0) {
        done = doneOf(await status());
        await askFor(anyDocument());
      }
      child.kill("SIGKILL");
      await child.exited;
      figures.rounds.push({ doneWhenKilled: done, doneAtNextStart: 0 });
    }

    const last = await start(changed);
    await resumed();
    while ((await status()).building !== null) await askFor(anyDocument());
    assert.deepEqual((await status()).active, { provider: "ollama", model: newModel, dimensions: 64 });
    ollama.delayMs = 0;
    for (let count = 0; count < 50; count++) await askFor(anyDocument());
    last.kill("SIGTERM");
    await last.exited;
    await assertNewModelOnly(join(dataDir, "data"), options.documents);
    return figures;
  } finally {
    running.child?.kill("SIGKILL");
    await running.child?.exited;
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
