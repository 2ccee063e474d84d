/**
 * Writes config/carrel.yaml, config/carrel.schema.json and the table in docs/configuration.md anew from
 * config/schema.ts: `bun tools/config-files.ts`. A test fails while they differ.
 */

import { configSchema } from "../config/schema.ts";
import { shapeOf } from "../config/shape.ts";
import { writeJsonSchema, writeMarkdown, writeYaml } from "../config/write.ts";

const folder = new URL("../config/", import.meta.url);
await Bun.write(new URL("carrel.yaml", folder), writeYaml(shapeOf(configSchema)));
await Bun.write(new URL("carrel.schema.json", folder), writeJsonSchema());
const page = Bun.file(new URL("../docs/configuration.md", folder));
await Bun.write(page, writeMarkdown(await page.text(), shapeOf(configSchema)));
