/**
 * What one large text takes of memory and CPU time, on a fresh server:
 *
 *     bun bench/ingest/large-text.ts [BINARY|-] [--megabytes 20] [--way text|file|import] [--model static] [--every 0]
 *
 * BINARY is `dist/carrel`; without it the program runs from source. The text is sent as JSON, uploaded as a file, or
 * imported. Prints the highest resident set that the kernel saw (VmHWM), what the highest seen here consisted of, and what
 * is left once all vectors are made and half a minute has passed. With `--every` milliseconds, a line of parts at each.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCorpus } from "../serving/corpus.ts";
import { show } from "../serving/figures.ts";
import { commandOf, type Program, post, startProgram, temporaryFolder } from "../serving/program.ts";
import { reportMemory } from "./memory-report.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    megabytes: { type: "string", default: "20" },
    way: { type: "string", default: "text" },
    model: { type: "string", default: "static" },
    every: { type: "string", default: "0" },
  },
});
const characters = Number(values.megabytes) * 1024 * 1024;
const printEveryMs = Number(values.every);
const pollMs = 500;
const restMs = 30_000;

const upload = async ({ url, headers }: Program, text: string): Promise<void> => {
  const form = new FormData();
  form.set("file", new File([text], "large.txt", { type: "text/plain" }));
  const { authorization = "" } = headers;
  const answer = await fetch(`${url}/api/ingest`, { method: "POST", headers: { authorization }, body: form });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
};

/** The lines of an export that hold this one text. */
const exportOf = async (command: readonly string[], folder: string, text: string): Promise<string> => {
  const source = await startProgram(command, folder);
  try {
    await post(source, "/api/ingest", { name: "large", text });
    return await (await fetch(`${source.url}/api/export`, { headers: source.headers })).text();
  } finally {
    await source.stop();
  }
};

const importLines = async ({ url, headers }: Program, lines: string): Promise<void> => {
  const answer = await fetch(`${url}/api/import`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/x-ndjson" },
    body: lines,
  });
  const said = await answer.text();
  if (!answer.ok || !/"documents":/.test(said)) throw new Error(said);
};

process.env.CARREL_MODELS_EMBEDDING_MODEL = values.model;
const command = commandOf(positionals[0]);
const folder = temporaryFolder();
try {
  const text = createCorpus(7).document(characters);
  const lines = values.way === "import" ? await exportOf(command, join(folder.path, "from"), text) : "";
  const program = await startProgram(command, join(folder.path, "to"));
  try {
    await reportMemory(program, { pollMs, restMs, printEveryMs }, async (tell) => {
      const startedAt = performance.now();
      if (values.way === "import") await importLines(program, lines);
      else if (values.way === "file") await upload(program, text);
      else await post(program, "/api/ingest", { name: "large", text });
      show(`${values.megabytes} MB as ${values.way}: seconds`, ((performance.now() - startedAt) / 1_000).toFixed(1));
      tell("CPU until it was answered", "highest until then (VmHWM)");
    });
  } finally {
    await program.stop();
  }
} finally {
  folder.remove();
}
