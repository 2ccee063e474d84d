import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Secret } from "../../config/secret.ts";
import type { Setting } from "../../src/settings/list-settings.ts";
import { startTestServer } from "../start-server.ts";

const secrets = ["answer-secret", "whsec_c2VjcmV0c2VjcmV0c2VjcmV0", "path-secret", "parser-secret"];

const server = await startTestServer(
  {
    webhooks: [
      { url: "http://127.0.0.1:9/hook/path-secret?token=1", secret: new Secret(secrets[1] ?? ""), events: [] },
    ],
    parser: { baseUrl: "http://127.0.0.1:9", apiKey: new Secret("parser-secret") },
  },
  {
    settingSources: new Map([
      ["server.port", "CARREL_SERVER_PORT"],
      ["models.answer.apiKey", "carrel.yaml:12"],
    ]),
    configure(config) {
      Object.assign(config.models.answer, {
        provider: "ollama",
        model: "llama",
        baseUrl: "http://127.0.0.1:9",
        apiKey: new Secret("answer-secret"),
      });
    },
  },
);

const settings = async () => {
  const answer = await server.call("/api/settings");
  expect(answer.status).toBe(200);
  const text = await answer.text();
  return { text, ...(JSON.parse(text) as { settings: Setting[]; parts: { part: string }[] }) };
};
const tryPart = async (part: string) => (await server.ask("POST", "/api/settings/try", { json: { part } })).body;

test("each setting tells its value, where it was written and what it does", async () => {
  const { settings: all } = await settings();
  const byName = new Map(all.map((each) => [each.name, each]));
  expect(byName.get("server.port")).toMatchObject({
    value: 0,
    default: 7373,
    source: "environment",
    where: "CARREL_SERVER_PORT",
    variable: "CARREL_SERVER_PORT",
    hidden: false,
  });
  expect(byName.get("server.host")).toMatchObject({ value: "127.0.0.1", source: "default", where: null });
  expect(byName.get("models.answer.apiKey")).toMatchObject({
    value: null,
    hidden: true,
    source: "file",
    where: "carrel.yaml:12",
  });
  expect(byName.get("models.reranker.apiKey")).toMatchObject({ value: null, hidden: false });
  for (const { description, takes } of all) expect(description.length * takes.length).toBeGreaterThan(0);
});

test("no secret leaves the server, neither by the settings nor by a trial that fails", async () => {
  const { text, settings: all } = await settings();
  const trials = JSON.stringify([await tryPart("answer"), await tryPart("parserServer")]);
  for (const secret of secrets) expect(text + trials).not.toContain(secret);
  expect(all.find(({ name }) => name === "webhooks")?.value).toEqual([
    { url: "http://127.0.0.1:9/…", secret: "(hidden)", events: [] },
  ]);
});

test("what is configured can be tried: the parser reads a page, a server that is away is told", async () => {
  const { parts } = await settings();
  expect(parts.map(({ part }) => part)).toEqual(["answer", "embedding", "parser", "parserServer"]);
  expect(await tryPart("parser")).toMatchObject({
    provider: "builtin",
    details: expect.arrayContaining(["A sample PDF was read."]),
  });
  expect(await tryPart("embedding")).toMatchObject({ status: "ok", model: "static" });
  const answer = await tryPart("answer");
  expect(answer).toMatchObject({ status: "failed", provider: "ollama" });
  expect(answer.details[0]).toContain("http://127.0.0.1:9");
  expect(await tryPart("parserServer")).toMatchObject({ status: "failed" });
});

test("a part that is not configured is a 409 that names the field", async () => {
  const { status, body } = await server.ask("POST", "/api/settings/try", { json: { part: "reranker" } });
  expect(status).toBe(409);
  expect(body.code).toBe("part_not_configured");
  expect(body.errors[0].path).toBe("part");
});

test("storage counts tables and files", async () => {
  const before = (await server.ask("GET", "/api/settings/storage")).body;
  await mkdir(join(server.dataDir, "files/ab"), { recursive: true });
  await writeFile(join(server.dataDir, "files/ab/sample"), new Uint8Array(5_000));
  const after = (await server.ask("GET", "/api/settings/storage")).body;
  expect(after.files - before.files).toBe(5_000);
  expect(before.tables).toBeGreaterThan(0);
  expect(after.free).toBeGreaterThan(0);
});
