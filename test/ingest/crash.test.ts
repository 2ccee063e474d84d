import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKey } from "../../src/keys/key-text.ts";
import { until } from "../until.ts";

const rounds = 6;
const main = join(import.meta.dir, "../../src/main.ts");
const dataDir = await mkdtemp(join(tmpdir(), "carrel-crash-"));
const key = generateKey();

afterAll(() => rm(dataDir, { recursive: true, force: true }));

interface Server {
  url: string;
  kill(): Promise<void>;
}

const start = async (): Promise<Server> => {
  const child = Bun.spawn([process.execPath, main, "serve"], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: dataDir,
      CARREL_DATA_DIR: dataDir,
      CARREL_SERVER_PORT: "0",
      CARREL_ADMIN_KEY: key,
      CARREL_LOG_LEVEL: "error",
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  let printed = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += chunk;
    const [, url] = /listens on (http:\S+)\n/.exec(printed) ?? [];
    if (url === undefined) continue;
    return {
      url,
      async kill() {
        child.kill("SIGKILL");
        await child.exited;
      },
    };
  }
  throw new Error(`the server did not start: ${printed}${await new Response(child.stderr).text()}`);
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
type Json = any;

const call = async (server: Server, method: string, path: string, body?: string | FormData): Promise<Json> => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return await response.json();
};

/** Sends documents of all kinds until the server dies. @returns text by id of those that were acknowledged */
const sendUntilKilled = async (server: Server, round: number, acknowledged: Map<string, string>): Promise<void> => {
  const sender = async (kind: "now" | "later" | "file" | "upsert"): Promise<void> => {
    for (let at = 0; ; at++) {
      const text = `Round ${round}, ${kind} ${at}: in winter the reading room opens at ${at} sharp.`;
      let body: string | FormData = JSON.stringify({ name: kind, text, async: kind === "later" });
      if (kind === "file") {
        body = new FormData();
        body.append("async", "true");
        body.append("file", new File([text], "file.txt"));
      }
      if (kind === "upsert") {
        body = JSON.stringify({
          name: kind,
          text,
          async: true,
          upsert: true,
          metadata: { externalId: `round ${round}` },
        });
      }
      const { id } = await call(server, "POST", "/api/ingest", body);
      acknowledged.set(id, text);
    }
  };
  await Promise.allSettled((["now", "later", "file", "upsert"] as const).map(sender));
};

test("a server killed again and again while it ingests loses no acknowledged document and makes none twice", async () => {
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < rounds; round++) {
    const server = await start();
    const before = acknowledged.size;
    const sending = sendUntilKilled(server, round, acknowledged);
    await until(() => acknowledged.size > before);
    await Bun.sleep(Math.random() * 200);
    await server.kill();
    await sending;
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(rounds);

  const server = await start();
  const list = async (): Promise<Json[]> => {
    const documents: Json[] = [];
    for (let skip = 0; ; skip += 100) {
      const page = await call(server, "GET", `/api/document?limit=100&skip=${skip}&include=originalText`);
      documents.push(...page);
      if (page.length < 100) return documents;
    }
  };
  let documents: Json[] = [];
  await until(async () => {
    documents = await list();
    return !documents.some(({ status }) => status === "pending" || status === "processing");
  });
  const stored = new Map(documents.map((document) => [document.id, document]));
  expect(stored.size).toBe(documents.length);
  for (const [id, text] of acknowledged) {
    const document = stored.get(id);
    expect([id, document?.status, document?.error]).toEqual([id, "processed", null]);
    // The last text of an upsert may have been stored without its acknowledgement having arrived.
    if (document?.name !== "upsert") expect(document?.originalText).toBe(text);
  }
  // What was stored without its sender having been told: at most one of each sender and round.
  expect(documents.length - acknowledged.size).toBeLessThanOrEqual(rounds * 4);
  for (let round = 0; round < rounds; round++) {
    const upserted = documents.filter(({ metadata }) => metadata?.externalId === `round ${round}`);
    expect(upserted.length).toBeLessThanOrEqual(1);
  }
  const found = await call(server, "POST", "/api/search", JSON.stringify({ query: "when does the reading room open" }));
  expect(found.relevantSnippets.length).toBeGreaterThan(0);
  await server.kill();
});
