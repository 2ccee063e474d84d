/**
 * Writes the table in docs/formats.md: every file of a folder through the HTTP API, read by the built-in parsers and,
 * where its address is given, by an Unstructured server.
 *
 *     bun tools/write-formats.ts test/fixtures/documents [http://127.0.0.1:8000]
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defaultConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { startServer } from "../src/program/start-server.ts";

const [folder, unstructured] = process.argv.slice(2);
if (!folder) throw new Error("usage: bun tools/write-formats.ts FOLDER [UNSTRUCTURED]");
const page = join(import.meta.dir, "../docs/formats.md");
const begin = "<!-- table -->";

interface Reading {
  /** Characters, pages, warnings and milliseconds; or status and code. */
  cells: string;
}

/** One ingest of each file on a server of its own. */
const readAll = async (parser: Partial<Config["parser"]>): Promise<Map<string, Reading>> => {
  const dataDir = mkdtempSync(join(tmpdir(), "carrel-formats-"));
  const config = defaultConfig();
  const server = await startServer({
    ...config,
    dataDir,
    server: { ...config.server, port: 0 },
    parser: { ...config.parser, ...parser },
    log: { ...config.log, level: "silent" },
  });
  const readings = new Map<string, Reading>();
  try {
    for (const name of readdirSync(folder).sort()) {
      if (name === "LICENSE.txt" || name === "NOTICE.txt") continue;
      const form = new FormData();
      form.append("file", Bun.file(join(resolve(folder), name)), name);
      const started = performance.now();
      const answer = await fetch(`${server.url}/api/ingest`, {
        method: "POST",
        headers: { authorization: `Bearer ${server.firstKey}` },
        body: form,
      });
      const elapsed = Math.round(performance.now() - started);
      const body = (await answer.json()) as {
        text: string;
        warnings: string[];
        progress: { pages: number };
        code: string;
      };
      const read = `${body.text?.length} | ${body.progress?.pages} | ${body.warnings?.length} | ${elapsed}`;
      readings.set(name, {
        cells: answer.status === 200 ? read : `${answer.status} \`${body.code}\` | | | ${elapsed}`,
      });
    }
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return readings;
};

const builtin = await readAll({});
const other = unstructured ? await readAll({ provider: "unstructured", baseUrl: unstructured }) : null;
const columns = "characters | pages | warnings | ms";
const rows = [...builtin].map(
  ([name, { cells }]) => `| ${name} | ${cells} |${other ? ` ${other.get(name)?.cells} |` : ""}`,
);
const head = `| file | ${columns} |${other ? ` Unstructured: ${columns} |` : ""}`;
const table = [head, head.replace(/[^|]+/g, " --- "), ...rows].join("\n");
const before = (await Bun.file(page).text()).split(begin)[0];
await Bun.write(page, `${before}${begin}\n\n${table}\n`);
