import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, configSchema } from "../../config/schema.ts";
import { Secret } from "../../config/secret.ts";
import { type Shape, shapeOf } from "../../config/shape.ts";
import { createLogger } from "../../src/log/log.ts";
import { allEndpoints } from "../../src/program/app.ts";
import { formOf } from "../call-server.ts";
import { run } from "../commands/run.ts";
import { serve } from "../serve.ts";
import { startTestServer } from "../start-server.ts";

/**
 * Every setting that the schema marks as secret is set, and every server that gets one sends it back in an error, as
 * careless servers do. None may appear in the log at its most talkative, in an answer, or in what a command prints.
 */

let logged = "";
const folder = mkdtempSync(join(tmpdir(), "carrel-secrets-"));

/** What the servers were sent: the test would prove nothing if the secrets were not in use. */
let received = "";
const careless = serve(async (request) => {
  const sent = JSON.stringify(Object.fromEntries(request.headers));
  received += sent;
  return Response.json({ error: { message: `wrong key in ${sent}` }, detail: sent, message: sent }, { status: 401 });
});
const baseUrl = careless.url;

/** Value and path of each secret setting; those of list entries have a value too, in a list of one entry. */
const secrets: { path: string; text: string }[] = [];
const collect = (shape: Shape, path: string): void => {
  if (shape.kind === "text" && shape.secrecy === "whole")
    secrets.push({
      path,
      text: `${shape.pattern === null ? "" : "authorization="}whsec_${Buffer.from(`very secret value ${secrets.length} !`).toString("base64")}`,
    });
  if (shape.kind === "list") collect(shape.item, path);
  if (shape.kind === "section")
    for (const [name, inner] of shape.keys) collect(inner, path === "" ? name : `${path}.${name}`);
};
collect(shapeOf(configSchema), "");
const secretAt = (path: string): Secret => new Secret(secrets.find((each) => each.path === path)?.text ?? "");

const configure = (config: Config): void => {
  const { models, parser } = config;
  Object.assign(models.answer, { provider: "openai", model: "m", baseUrl, apiKey: secretAt("models.answer.apiKey") });
  Object.assign(models.embedding, {
    provider: "openai",
    model: "m",
    baseUrl,
    apiKey: secretAt("models.embedding.apiKey"),
  });
  Object.assign(models.reranker, {
    provider: "openai",
    model: "m",
    baseUrl,
    apiKey: secretAt("models.reranker.apiKey"),
  });
  Object.assign(parser, { provider: "unstructured", baseUrl, apiKey: secretAt("parser.apiKey") });
  Object.assign(config.backup.s3, {
    accessKeyId: secretAt("backup.s3.accessKeyId"),
    secretAccessKey: secretAt("backup.s3.secretAccessKey"),
  });
  Object.assign(config.store.s3, {
    accessKeyId: secretAt("store.s3.accessKeyId"),
    secretAccessKey: secretAt("store.s3.secretAccessKey"),
  });
  config.tracing = {
    ...config.tracing,
    endpoint: baseUrl,
    headers: [secretAt("tracing.headers")],
  };
  config.webhooks = [{ url: `${baseUrl}/hook`, secret: secretAt("webhooks.secret"), events: [] }];
};

const server = await startTestServer(
  { log: { level: "debug", format: "json" } },
  {
    configure,
    log: createLogger({ level: "debug", format: "json" }, (line) => {
      logged += line;
    }),
  },
);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** The secrets that a text holds, whole or a long part of one. */
const secretsIn = (text: string): string[] =>
  secrets.filter((each) => text.includes(each.text) || text.includes(each.text.slice(6))).map(({ path }) => path);

test("the secrets are those of the schema, and all are set", () => {
  expect(secrets.map(({ path }) => path).sort()).toEqual([
    "backup.s3.accessKeyId",
    "backup.s3.secretAccessKey",
    "models.answer.apiKey",
    "models.embedding.apiKey",
    "models.reranker.apiKey",
    "parser.apiKey",
    "store.s3.accessKeyId",
    "store.s3.secretAccessKey",
    "tracing.headers",
    "webhooks.secret",
  ]);
  expect([server.config.parser.apiKey?.reveal(), server.config.webhooks[0]?.secret.reveal()]).toEqual([
    secrets.find(({ path }) => path === "parser.apiKey")?.text,
    secrets.find(({ path }) => path === "webhooks.secret")?.text,
  ]);
});

test("no answer and no line of the log holds one, whatever fails", async () => {
  let answers = "";
  const ask = async (method: string, path: string, options: object = {}): Promise<void> => {
    const { text, headers } = await server.ask(method, path, options);
    answers += `${JSON.stringify(Object.fromEntries(headers))}${text}`;
  };
  for (let count = 0; count < 3; count++)
    await ask("POST", "/api/ingest", { json: { name: "H", text: `Herons nest in March, in alder number ${count}.` } });
  const form = formOf({ file: new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])], "picture.png") });
  await ask("POST", "/api/ingest", { body: form });
  for (const json of [{ query: "When do herons nest?" }, { query: "When do herons nest?", stream: true }])
    await ask("POST", "/api/query", { json });
  await ask("POST", "/api/ingest", { json: { name: 1 } });
  for (const { method, path } of allEndpoints(server.program.deps))
    if (method === "GET") await ask("GET", path.replace(":id", Bun.randomUUIDv7()));
  await server.reload(server.config);
  expect(received).toContain(secrets.find(({ path }) => path === "models.answer.apiKey")?.text ?? "?");
  expect(received).toContain(secrets.find(({ path }) => path === "parser.apiKey")?.text ?? "?");
  expect(logged).toContain('"level":"debug"');
  expect(logged).toContain("request failed");
  expect(secretsIn(answers)).toEqual([]);
  expect(secretsIn(logged)).toEqual([]);
});

test("no command prints one", async () => {
  const text = (path: string) => secrets.find((each) => each.path === path)?.text ?? "";
  const env = {
    CARREL_LOG_LEVEL: "debug",
    CARREL_DATA_DIR: join(folder, "data"),
    CARREL_MODELS_ANSWER_PROVIDER: "openai",
    CARREL_MODELS_ANSWER_MODEL: "m",
    CARREL_MODELS_ANSWER_BASE_URL: baseUrl,
    CARREL_MODELS_ANSWER_API_KEY: text("models.answer.apiKey"),
    CARREL_MODELS_RERANKER_PROVIDER: "openai",
    CARREL_MODELS_RERANKER_MODEL: "m",
    CARREL_MODELS_RERANKER_BASE_URL: baseUrl,
    CARREL_MODELS_RERANKER_API_KEY: text("models.reranker.apiKey"),
    CARREL_PARSER_BASE_URL: baseUrl,
    CARREL_PARSER_API_KEY: text("parser.apiKey"),
    CARREL_WEBHOOKS: JSON.stringify([{ url: `${baseUrl}/hook`, secret: text("webhooks.secret") }]),
  };
  received = "";
  let printed = "";
  for (const argv of [
    ["models"],
    ["models", "--json"],
    ["key", "list", "--json"],
    ["embedder", "status", "--json"],
    ["schema"],
  ]) {
    const { out, err } = await run(argv, { env, cwd: folder });
    printed += out + err;
  }
  // With faults in the settings, beside the secrets and in them.
  const faulty = {
    ...env,
    CARREL_SERVER_PORT: text("parser.apiKey"),
    CARREL_WEBHOOKS: `[{"secret":"${text("webhooks.secret")}"}]`,
  };
  const { status, err } = await run(["models"], { env: faulty, cwd: folder });
  expect(status).toBe(1);
  printed += err;
  expect(err).toContain("server.port must be a whole number");
  expect(received).toContain(text("models.answer.apiKey"));
  expect(secretsIn(printed)).toEqual([]);
});
