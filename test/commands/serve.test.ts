import { describe, expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ChatModel } from "../../providers/contract.ts";
import { generateKey } from "../../src/access/key.ts";
import { maxCloseMs } from "../../src/commands/serve.ts";
import { createLogger } from "../../src/log/log.ts";
import { startServer } from "../../src/program/start-server.ts";
import { startTestServer, testConfig } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { eventually } from "../until.ts";

const folder = await temporaryFolder("serve");

/** A model that begins an answer and goes on when told to. */
const slowModel = () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const model: ChatModel = {
    provider: "test",
    model: "slow",
    contextTokens: async () => 4096,
    estimateTokens: (text) => text.length,
    async *chat(_turns, signal) {
      started.resolve();
      await Promise.race([
        release.promise,
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
      ]);
      yield { type: "delta", text: "The pump is serviced every 400 hours. [1]" };
      yield { type: "done", finishReason: "stop", promptTokens: 1, outputTokens: 1, model: "slow" };
    },
  };
  return { model, started: started.promise, release: release.resolve };
};

const document = { name: "Pumps", text: "The primary pump is serviced every 400 hours." };
const question = { query: "How often is the primary pump serviced?" };

describe("a graceful stop", () => {
  test("lets running requests finish, refuses new ones, is not ready any more, and frees the store", async () => {
    const { model, started, release } = slowModel();
    const dataDir = join(folder, "graceful");
    const server = await startTestServer({}, { parts: { answerModel: model } }, dataDir);
    expect((await server.post("/api/ingest", document)).status).toBe(200);
    const asked = server.post("/api/query", question);
    await started;
    const stopped = server.stop();
    expect((await server.call("/health/ready")).status).toBe(503);
    expect((await server.call("/health/live")).status).toBe(200);
    const refused = await server.call("/api/document");
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, "draining"]);
    release();
    const answer = await asked;
    expect([answer.status, ((await answer.json()) as { answer: string }).answer]).toEqual([
      200,
      "The pump is serviced every 400 hours. [1]",
    ]);
    await stopped;
    await expect(server.call("/health/live")).rejects.toThrow();
    await expect(stat(join(dataDir, "carrel.sock"))).rejects.toThrow();
    const again = await startTestServer({}, {}, dataDir);
    expect((await again.call("/api/document")).headers.get("x-total-count")).toBe("1");
  });

  test("by default ends within 8 s whatever still runs: Docker kills after 10", async () => {
    const { model, started } = slowModel();
    const server = await startTestServer({}, { parts: { answerModel: model } });
    await server.post("/api/ingest", document);
    const asked = server.post("/api/query", question);
    await started;
    // `carrel serve` gives closing so long and no longer.
    expect(server.config.server.drainTimeoutMs + maxCloseMs).toBeLessThan(8_000);
    await server.stop();
    expect((await asked).status).toBe(503);
  });

  test("cuts off what is still running at the deadline", async () => {
    const { model, started } = slowModel();
    const server = await startTestServer({ server: { drainTimeoutMs: 50 } }, { parts: { answerModel: model } });
    await server.post("/api/ingest", document);
    const asked = server.post("/api/query", question);
    await started;
    await server.stop();
    const answer = await asked;
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, "draining"]);
  });
});

test("the first start makes up one admin key; later ones none", async () => {
  const config = testConfig(join(folder, "first"));
  const first = await startServer(config);
  const call = () => fetch(`${first.url}/api/key`, { headers: { authorization: `Bearer ${first.firstKey}` } });
  const keys = (await (await call()).json()) as { name: string; role: string; userId: string }[];
  expect(keys).toMatchObject([{ name: "first start", role: "admin", userId: "admin" }]);
  await first.stop();
  const second = await startServer(config);
  expect(second.firstKey).toBeNull();
  const given = generateKey();
  await second.stop();
  const third = await startServer(config, { adminKey: given });
  const answer = await fetch(`${third.url}/api/key`, { headers: { authorization: `Bearer ${given}` } });
  expect(((await answer.json()) as { name: string }[]).map(({ name }) => name)).toEqual([
    "CARREL_ADMIN_KEY",
    "first start",
  ]);
  await third.stop();
});

/** Lines of a log, without what the checks at a start say of the machine: of a folder in memory that it does not last. */
const linesOf = (log: readonly string[]): Record<string, unknown>[] =>
  log.map((line) => JSON.parse(line)).filter(({ check }) => check === undefined);

test("CARREL_ADMIN_KEY with another value: the key that it gave before is revoked, no other", async () => {
  const config = testConfig(join(folder, "rotated"));
  const lines: string[] = [];
  const log = createLogger({ level: "warn", format: "json" }, (line) => lines.push(line));
  const [a, b] = [generateKey(), generateKey()];
  const start = (adminKey: string) => startServer(config, { adminKey, log });
  const ask = async (url: string, key: string, path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${key}` } });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const first = await start(a);
  const make = (name: string, role: string) =>
    ask(first.url, a, "/api/key", { method: "POST", body: JSON.stringify({ name, role }) });
  const [made, reader] = [(await make("by hand", "admin")).body.key, (await make("web site", "reader")).body.key];
  // Nobody's key is taken for the variable's.
  expect(await make("CARREL_ADMIN_KEY", "admin")).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  await first.stop();

  const second = await start(b);
  const statuses = [];
  for (const key of [a, b, made, reader]) statuses.push((await ask(second.url, key, "/api/document")).status);
  expect(statuses).toEqual([401, 200, 200, 200]);
  const { body } = await ask(second.url, b, "/api/audit?action=key.revoked");
  expect(body).toMatchObject([{ actor: { kind: "start" }, details: { name: "CARREL_ADMIN_KEY", role: "admin" } }]);
  expect(linesOf(lines)).toMatchObject([{ level: "warn", keyId: body[0].targetId }]);
  expect(lines.join("")).not.toContain(a);
  await second.stop();

  // A key that was made by hand and then put into the variable: the next value ends it too.
  for (const key of [made, b]) await (await start(key)).stop();
  const last = await start(b);
  expect((await ask(last.url, made, "/api/document")).status).toBe(401);
  const named = (await ask(last.url, b, "/api/key")).body.map(({ name }: { name: string }) => name);
  expect(named.sort()).toEqual(["CARREL_ADMIN_KEY", "web site"]);
  await last.stop();

  // One that may do less is not made an admin's, and ends nobody.
  lines.length = 0;
  const lesser = await start(reader);
  expect((await ask(lesser.url, b, "/api/key")).status).toBe(200);
  expect((await ask(lesser.url, reader, "/api/key")).status).toBe(403);
  expect(lines.join("")).toContain("is no admin key");
  await lesser.stop();
});

test("a second server on the data directory is told who holds it", async () => {
  const server = await startTestServer();
  await expect(startServer(testConfig(server.dataDir))).rejects.toThrow(
    new RegExp(`in use by process ${process.pid} on .*, listening on ${server.url}: stop that process, or set dataDir`),
  );
  await startServer(testConfig(server.dataDir)).catch(() => {});
  expect((await server.call("/api/document")).status).toBe(200);
  await server.stop();
});

test("a port that is taken is refused, and the store let go", async () => {
  const server = await startTestServer();
  const dataDir = join(folder, "port");
  const config = testConfig(dataDir, { server: { port: server.port } });
  await expect(startServer(config)).rejects.toThrow(`Port ${server.port} of 127.0.0.1 is taken`);
  await startServer(config).catch(() => {});
  const second = await startServer(testConfig(dataDir));
  // The failed start has not used up the key that is shown once.
  expect(second.firstKey).toMatch(/^crl_/);
  await second.stop();
  await server.stop();
});

test("a host that there is not is named", async () => {
  const server = startServer(testConfig(join(folder, "host"), { server: { host: "nowhere.invalid" } }));
  await expect(server).rejects.toThrow(/^There is no host nowhere\.invalid/);
});

describe("the process", () => {
  const main = join(import.meta.dir, "../../src/main.ts");
  const start = (dataDir: string, env: Record<string, string> = {}, argv: readonly string[] = []) =>
    Bun.spawn([process.execPath, main, ...argv], {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? "",
        CARREL_DATA_DIR: dataDir,
        CARREL_SERVER_PORT: "0",
        CARREL_LOG_FORMAT: "json",
        CARREL_MODELS_EMBEDDING_MODEL: "static",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
  /** Standard output up to a text. */
  const until = async (stream: ReadableStream<Uint8Array>, text: string): Promise<string> => {
    let read = "";
    for await (const chunk of stream) {
      read += new TextDecoder().decode(chunk);
      if (read.includes(text)) return read;
    }
    throw new Error(`ended without ${text}: ${read}`);
  };

  test("prints address, a link with the key and a first curl; a signal ends it with status 0", async () => {
    // The options win over the variables.
    const variables = { CARREL_SERVER_PORT: "1", CARREL_SERVER_HOST: "192.0.2.1" };
    const child = start(join(folder, "process"), variables, ["serve", "--port", "0", "--host", "127.0.0.1"]);
    const out = await until(child.stdout, "/docs\n");
    const keys = out.match(/crl_[0-9A-Za-z]{43}/g) ?? [];
    expect(keys).toHaveLength(1);
    const key = keys[0] ?? "";
    const url = /listens on (http:\/\/127\.0\.0\.1:\d+)\n/.exec(out)?.[1] ?? "";
    expect(out).toContain(`  ${url}/#key=${key}\n`);
    expect(out).toContain(`curl ${url}/api/ingest -H "Authorization: Bearer $KEY"`);
    expect((await fetch(`${url}/api/document`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    const log = (await new Response(child.stderr).text()).trimEnd().split("\n");
    expect(linesOf(log).map(({ msg }) => msg)).toEqual(["ready", "request", "stopping", "stopped"]);
    expect(log.join("")).not.toContain(key);
  });

  test("SIGHUP while the store is opened waits until the server is ready, and does not end it", async () => {
    const dataDir = join(folder, "early");
    const child = start(dataDir);
    await eventually(() => stat(join(dataDir, "lock")));
    child.kill("SIGHUP");
    const url = /http:\S+/.exec(await until(child.stdout, "/docs\n"))?.[0] ?? "";
    const log = await until(child.stderr, "the settings were read again");
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(log).not.toContain("stopping");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("the server goes on when the readers of its output and of its log are gone", async () => {
    const child = start(join(folder, "unread"));
    await child.stdout.cancel();
    const url = /http:[^"]+/.exec(await until(child.stderr, "ready"))?.[0] ?? "";
    for (let i = 0; i < 3; i++) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("with CARREL_ADMIN_KEY, here in a file, no key is printed; log and server say which settings were read", async () => {
    const key = generateKey();
    const file = join(folder, "unattended.yaml");
    await Bun.write(file, "server: { port: 0 }\n");
    await Bun.write(join(folder, "admin-key"), `${key}\n`);
    const child = start(join(folder, "unattended"), { CARREL_ADMIN_KEY_FILE: "admin-key", CARREL_CONFIG: file });
    const out = await until(child.stdout, "\n");
    const url = /http:\S+/.exec(out)?.[0] ?? "";
    expect((await fetch(`${url}/api/key`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    expect(out).not.toContain("crl_");
    expect(await until(child.stderr, "ready")).toContain(`"settings":"${file}"`);
    const read = async (path: string) =>
      JSON.parse(await (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })).text());
    expect(await read("/api/settings")).toMatchObject({ file });
    expect((await read("/api/doctor")).findings).toContainEqual({
      check: "settings",
      status: "ok",
      detail: `Read from ${file}, and from the variables that begin with CARREL_.`,
      fix: null,
    });
    child.kill("SIGINT");
    expect(await child.exited).toBe(0);
  });
});
