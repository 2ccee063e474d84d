/**
 * Writes openapi.json, the document of the API, from the operations' declarations: `bun tools/write-openapi.ts`. A test
 * fails while it differs.
 */
import { openApiText } from "../src/commands/openapi.ts";

if (import.meta.main) await Bun.write(new URL("../openapi.json", import.meta.url), openApiText());
