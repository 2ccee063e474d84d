import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changesBetween } from "../../config/changes.ts";
import { defaultConfig } from "../../config/load.ts";
import { type Config, configSchema } from "../../config/schema.ts";
import { Secret } from "../../config/secret.ts";
import { settingsOf, shapeOf } from "../../config/shape.ts";
import { createLogger } from "../../src/log/log.ts";
import { serve } from "../serve.ts";
import { startTestServer, type TestServer } from "../start-server.ts";
import { until } from "../until.ts";

const folder = mkdtempSync(join(tmpdir(), "carrel-reload-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("which settings can change while the server runs", () => {
  const live = settingsOf(shapeOf(configSchema)).filter(({ shape }) => shape.isLive);
  expect(live.map(({ path }) => path.join(".")).sort()).toMatchSnapshot();
});

test("changes are found in every kind of setting, secrets included, and named without values", () => {
  const changed = (change: (config: Config) => void) => {
    const next = defaultConfig();
    change(next);
    return changesBetween(defaultConfig(), next);
  };
  const nothing = { live: [], fixed: [] };
  expect(changed(() => undefined)).toEqual(nothing);
  expect(changed((next) => next.server.allowedOrigins.push("*"))).toEqual({
    live: ["server.allowedOrigins"],
    fixed: [],
  });
  const withSecret = (text: string) => {
    const config = defaultConfig();
    config.models.answer.apiKey = new Secret(text);
    config.webhooks.push({ url: "https://a.example", secret: new Secret(text), events: [] });
    return config;
  };
  expect(changesBetween(withSecret("a"), withSecret("a"))).toEqual(nothing);
  expect(changesBetween(withSecret("a"), withSecret("b"))).toEqual({
    live: [],
    fixed: ["models.answer.apiKey", "webhooks"],
  });
  expect(changesBetween(defaultConfig(), withSecret("b")).fixed).toEqual(["models.answer.apiKey", "webhooks"]);
});

describe("a running server", () => {
  let server: TestServer;
  let logged = "";
  /** A model server that answers after a while. */
  let delayMs = 0;
  const model = serve(async (request) => {
    if (!request.url.endsWith("/chat/completions")) return Response.json({ data: [{ id: "slow" }] });
    await Bun.sleep(delayMs);
    const chunk = {
      choices: [{ index: 0, delta: { content: "In March. [1]" }, finish_reason: "stop" }],
      model: "slow",
    };
    return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
      headers: { "content-type": "text/event-stream" },
    });
  });
  beforeAll(async () => {
    server = await startTestServer(
      { log: { level: "info", format: "json" } },
      {
        isKept: true,
        log: createLogger({ level: "info", format: "json" }, (line) => {
          logged += line;
        }),
        configure(config) {
          const answer = { provider: "openai" as const, model: "slow", baseUrl: model.url };
          Object.assign(config.models.answer, answer, { contextTokens: 8_192, timeoutMs: 20_000 });
        },
      },
    );
    await server.post("/api/ingest", { name: "Herons", text: "Herons nest in March, high up in the old alders." });
  });
  afterAll(async () => {
    await server.stop();
  });

  /** Reloads with the present settings, changed. */
  const reload = async (change: (config: Config) => void) => {
    const next = structuredClone(server.config);
    change(next);
    logged = "";
    return await server.reload(next);
  };
  const question = { query: "When do herons nest?" };
  const ask = (key?: string) =>
    server.ask("POST", "/api/query", { json: question, ...(key === undefined ? {} : { key }) });

  test("takes rates at once", async () => {
    const key = await server.issueKey({ role: "reader" });
    const list = () => server.ask("GET", "/api/document", { key });
    expect((await list()).headers.get("ratelimit")).toBeNull();
    expect(await reload((next) => (next.limits.key.requestsPerMinute = 1))).toEqual({
      live: ["limits.key.requestsPerMinute"],
      fixed: [],
    });
    expect([(await list()).status, (await list()).status]).toEqual([200, 429]);
    expect(logged).toContain('"changed":["limits.key.requestsPerMinute"]');
    await reload((next) => (next.limits.key.requestsPerMinute = null));
    expect((await list()).status).toBe(200);
    const { body } = await server.ask("GET", "/api/audit?action=settings.reloaded");
    expect(body).toHaveLength(2);
    expect(body[0]).toMatchObject({
      actor: { kind: "operator" },
      details: { settings: ["limits.key.requestsPerMinute"] },
    });
  });

  test("takes the refusal threshold and the time limit of the model", async () => {
    expect((await ask()).body.answer).toBe("In March. [1]");
    await reload((next) => (next.answers.refusalThreshold = 1));
    expect((await ask()).body.relevantSnippets).toEqual([]);
    await reload((next) => {
      next.answers.refusalThreshold = 0.5;
      next.models.answer.timeoutMs = 100;
    });
    delayMs = 5_000;
    const slow = await ask();
    expect(slow.status).toBe(200);
    expect(slow.body.receipt.warnings.join()).toContain("did not answer within 0.1 s");
    delayMs = 0;
    await reload((next) => (next.models.answer.timeoutMs = 20_000));
    expect((await ask()).status).toBe(200);
  });

  test("takes the limits of visitors", async () => {
    const chat = await server.ask("POST", "/api/chat", { json: { title: "Birds", public: true } });
    const say = () =>
      server.ask("POST", `/api/chat/${chat.body.id}/public`, { key: null, json: { message: question.query } });
    expect((await say()).status).toBe(200);
    await reload((next) => (next.publicChats.chatMessagesPerDay = 2));
    expect([(await say()).status, (await say()).status]).toEqual([200, 429]);
    await reload((next) => (next.publicChats.chatMessagesPerDay = 2_000));
    expect((await say()).status).toBe(200);
  });

  test("takes the log's level, for its parts too", async () => {
    await reload((next) => (next.log.level = "error"));
    logged = "";
    await ask();
    expect(logged).toBe("");
    await reload((next) => (next.log.level = "debug"));
    logged = "";
    await server.ask("GET", "/health/live", { key: null });
    expect(logged).toContain('"level":"debug"');
    await reload((next) => (next.log.level = "info"));
  });

  test("names what needs a restart, and leaves it", async () => {
    const changes = await reload((next) => {
      next.server.port = 1;
      next.ingest.concurrency = 7;
      next.server.maxBodyBytes = 1_000;
    });
    expect(changes).toEqual({ live: ["server.maxBodyBytes"], fixed: ["server.port", "ingest.concurrency"] });
    expect(logged).toContain('"settings":["server.port","ingest.concurrency"]');
    expect(server.config.ingest.concurrency).toBe(2);
    const long = await server.ask("POST", "/api/ingest", { json: { name: "long", text: "x".repeat(2_000) } });
    expect([long.status, long.body.code]).toEqual([413, "body_too_large"]);
    await reload((next) => (next.server.maxBodyBytes = 104_857_600));
  });
});

describe.skipIf(process.platform === "win32")("the process", () => {
  const main = join(import.meta.dir, "../../src/main.ts");
  const yaml = (more: string) =>
    `dataDir: ./data\nserver: { port: 0 }\nmodels: { embedding: { model: static } }\nlog: { format: json }\n${more}`;
  const env = { PATH: process.env.PATH ?? "", HOME: folder, CARREL_ADMIN_KEY: `crl_${"a".repeat(43)}` };

  test("SIGHUP reads the file again; a fault in it changes nothing; SIGTERM ends it", async () => {
    const file = join(folder, "carrel.yaml");
    writeFileSync(file, yaml(""));
    const child = Bun.spawn([process.execPath, main, "serve", "--config", file], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let log = "";
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of child.stderr) log += decoder.decode(chunk);
    })();
    let out = "";
    const readingOut = (async () => {
      for await (const chunk of child.stdout) out += new TextDecoder().decode(chunk);
    })();
    try {
      // The two streams are read each in its own time.
      await until(() => log.includes('"msg":"ready"') && /http:\S+\n/.test(out), "ready");
      const url = /http:\S+/.exec(out)?.[0] ?? "";
      const list = () => fetch(`${url}/api/document`, { headers: { authorization: `Bearer ${env.CARREL_ADMIN_KEY}` } });
      expect((await list()).headers.get("ratelimit")).toBeNull();
      writeFileSync(file, yaml("limits: { key: { requestsPerMinute: 50 } }\nscan: { maxFiles: 9 }\n"));
      child.kill("SIGHUP");
      await until(() => log.includes("settings have changed that need a restart"));
      expect(log).toContain('"changed":["limits.key.requestsPerMinute"]');
      expect(log).toContain('"settings":["scan.maxFiles"]');
      expect((await list()).headers.get("ratelimit-policy")).toBe('"key-requests";q=50;w=60');
      writeFileSync(file, yaml("limits: { key: { requestsPerMinute: many } }\nanswers: { refusalThreshold: 0 }\n"));
      child.kill("SIGHUP");
      await until(() => log.includes("the settings were not read again: nothing changed"));
      expect(log).toContain("carrel.yaml:5: limits.key.requestsPerMinute must be a whole number");
      expect((await list()).headers.get("ratelimit-policy")).toBe('"key-requests";q=50;w=60');
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
    } finally {
      if (child.exitCode === null) child.kill("SIGKILL");
      await Promise.all([reading, readingOut]);
    }
  });

  test("SIGHUP of a closed terminal ends the server in order", async () => {
    const file = join(folder, "terminal.yaml");
    writeFileSync(file, yaml("").replace("./data", "./terminal-data"));
    let shown = "";
    const log = join(folder, "terminal.log");
    const child = Bun.spawn(
      ["sh", "-c", `exec "$0" "$@" 2>${log}`, process.execPath, main, "serve", "--config", file],
      {
        cwd: folder,
        env,
        terminal: {
          data: (_terminal, data) => {
            shown += new TextDecoder().decode(data);
          },
        },
      },
    );
    try {
      const text = async () =>
        Bun.file(log)
          .text()
          .catch(() => "");
      const seen = (words: string) => until(async () => (await text()).includes(words), `the log says ${words}`);
      await seen('"msg":"ready"');
      // The terminal may be read later than the log.
      await until(() => shown.includes("listens on"));
      // With its terminal open, the signal means the settings.
      child.kill("SIGHUP");
      await seen("the settings were read again");
      child.terminal?.close();
      await child.exited;
      expect(await text()).toContain('"signal":"SIGHUP"');
      expect(await text()).toContain('"msg":"stopped"');
    } finally {
      if (child.exitCode === null) child.kill("SIGKILL");
    }
  });
});
