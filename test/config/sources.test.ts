import { expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadConfig } from "../../config/load.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("a setting knows its line of the file or its variable; one without a value keeps the default", async () => {
  const cwd = await temporaryFolder("test");
  await writeFile(
    join(cwd, "carrel.yaml"),
    `server:
  port: 8080
  host: 0.0.0.0
folders:
models:
  answer: { apiKey: "\${KEY}" }
log: { level: info }
`,
  );
  const env = { KEY: "secret", CARREL_SERVER_HOST: "127.0.0.1", CARREL_SERVER_DRAIN_TIMEOUT_MS: "" };
  const { sources } = await loadConfig({ env, cwd });
  await rm(cwd, { recursive: true });
  expect(Object.fromEntries(sources)).toEqual({
    "server.port": "carrel.yaml:2",
    "server.host": "CARREL_SERVER_HOST",
    "models.answer.apiKey": "carrel.yaml:6",
    "log.level": "carrel.yaml:7",
  });
});
