import { expect, test } from "bun:test";
import { inspect } from "node:util";
import { Value } from "@sinclair/typebox/value";
import { loadConfig } from "../../config/load.ts";
import { configSchema } from "../../config/schema.ts";
import { Secret } from "../../config/secret.ts";
import { type Shape, settingsOf, shapeOf } from "../../config/shape.ts";
import { createLogger } from "../../src/log/log.ts";

const text = "sk-nobody-may-see-this";
const secret = new Secret(text);

test("a secret shows itself to nobody but who asks for it", () => {
  let logged = "";
  const log = createLogger({ level: "debug", format: "json" }, (line) => {
    logged += line;
  });
  log.debug({ secret, deep: { deeper: { and: { deeper: [secret] } } } }, `with ${secret}`);
  log.error({ err: new Error(`failed with ${secret}`, { cause: secret }) }, "failed");
  const shown = [
    `${secret}`,
    String(secret),
    `a${secret as unknown as string}b`,
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ deep: [secret] }, { depth: 9, showHidden: true }),
    Bun.inspect({ secret }),
    JSON.stringify(structuredClone({ secret })),
    JSON.stringify({ ...secret }),
    Object.getOwnPropertyNames(secret).join(),
    logged,
  ];
  expect(shown.filter((each) => each.includes(text))).toEqual([]);
  expect(logged).toContain("with [secret]");
  expect(secret.reveal()).toBe(text);
});

/** Paths of all secret settings, those in entries of lists included. */
const secretPaths = (shape: Shape, path = ""): string[] => {
  if (shape.kind === "text") return shape.secrecy === "whole" ? [path] : [];
  if (shape.kind === "list") return secretPaths(shape.item, `${path}[0]`);
  if (shape.kind !== "section") return [];
  return [...shape.keys].flatMap(([name, inner]) => secretPaths(inner, path === "" ? name : `${path}.${name}`));
};

test("every setting that is called a key or a secret is read as one", async () => {
  const paths = secretPaths(shapeOf(configSchema));
  expect(paths).toContain("models.answer.apiKey");
  expect(paths).toContain("webhooks[0].secret");
  const suspects = settingsOf(shapeOf(configSchema))
    .filter(({ shape }) => shape.kind === "text" && /api key|secret|password|token/i.test(shape.description))
    .map(({ path }) => path.join("."));
  expect(suspects.filter((path) => !paths.includes(path))).toEqual([]);
  const { config } = await loadConfig({
    env: { CARREL_PARSER_API_KEY: text, CARREL_WEBHOOKS: `[{"url":"https://a.example","secret":"${text}"}]` },
    cwd: "/",
  });
  expect(JSON.stringify(config)).not.toContain(text);
  expect(inspect(config, { depth: 9, showHidden: true })).not.toContain(text);
  expect([config.parser.apiKey?.reveal(), config.webhooks[0]?.secret.reveal()]).toEqual([text, text]);
});

test("a plain text is no secret: what was not read by the loader does not fit the schema", () => {
  const { config } = { config: Value.Create(configSchema) };
  config.models.answer.apiKey = secret;
  expect(Value.Check(configSchema, config)).toBe(true);
  (config.models.answer as { apiKey: unknown }).apiKey = text;
  expect(Value.Check(configSchema, config)).toBe(false);
});
