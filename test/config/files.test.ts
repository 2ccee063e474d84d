import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { variableOf } from "../../config/environment.ts";
import { defaultConfig, loadConfig } from "../../config/load.ts";
import { configSchema } from "../../config/schema.ts";
import { settingsOf, shapeOf } from "../../config/shape.ts";
import { writeJsonSchema, writeMarkdown, writeYaml } from "../../config/write.ts";

const pathOf = (name: string) => fileURLToPath(new URL(`../../config/${name}`, import.meta.url));
const shape = shapeOf(configSchema);

test("carrel.yaml holds every key with its default", async () => {
  expect(parse(await Bun.file(pathOf("carrel.yaml")).text())).toEqual(defaultConfig());
});

test("carrel.yaml loads as the defaults do", async () => {
  const ofFile = await loadConfig({ file: pathOf("carrel.yaml"), env: {}, cwd: "/" });
  expect(ofFile.config).toEqual({ ...defaultConfig(), dataDir: "/carrel-data" });
});

test("the generated files are current: else run `bun tools/config-files.ts`", async () => {
  expect(await Bun.file(pathOf("carrel.yaml")).text()).toBe(writeYaml(shape));
  expect(await Bun.file(pathOf("carrel.schema.json")).text()).toBe(writeJsonSchema());
  const page = await Bun.file(pathOf("../docs/configuration.md")).text();
  expect(page).toBe(writeMarkdown(page, shape));
});

test("every key says why it is there", () => {
  expect(settingsOf(shape).filter((setting) => setting.shape.description === "")).toEqual([]);
});

test("docs/configuration.md names every key and its variable", async () => {
  const page = await Bun.file(pathOf("../docs/configuration.md")).text();
  for (const { path } of settingsOf(shape)) {
    expect(page).toContain(`\`${path.join(".")}\``);
    expect(page).toContain(`\`${variableOf(path)}\``);
  }
});
