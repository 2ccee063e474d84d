/**
 * CPU time of MCP's `search`, in both eras of the protocol, beside the same question at `/api/search`:
 *
 *     bun bench/mcp/search.ts dist/carrel [QUESTIONS]
 *
 * 500 documents in a temporary store; QUESTIONS (400) of each kind in rounds of 50, by turns. Counted by the kernel, for
 * the whole process: run it on a machine that does little else. Aim: a ratio of at most 1.1.
 */
import { createCorpus } from "../serving/corpus.ts";
import { show } from "../serving/figures.ts";
import { cpuSecondsOf } from "../serving/process-figures.ts";
import { commandOf, post, sendBatch, startProgram, temporaryFolder, untilProcessed } from "../serving/program.ts";

const [binary, count = "400"] = process.argv.slice(2);
const round = 50;
const rounds = Math.max(1, Math.round(Number(count) / round));

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
};
const kinds = {
  "/api/search": { path: "/api/search", headers: {}, body: (query: string): object => ({ query }) },
  "MCP 2026-07-28": {
    path: "/mcp",
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "search" },
    body: (query: string): object => call(query, { _meta: meta }),
  },
  "MCP 2025-11-25": {
    path: "/mcp",
    headers: { "mcp-protocol-version": "2025-11-25" },
    body: (query: string): object => call(query, {}),
  },
};
const call = (query: string, more: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "search", arguments: { query }, ...more },
});

const folder = temporaryFolder();
const program = await startProgram(commandOf(binary), folder.path, { CARREL_MODELS_EMBEDDING_MODEL: "static" });
try {
  const corpus = createCorpus(7);
  const documents = Array.from({ length: 500 }, (_, at) => ({ name: `d${at}`, text: corpus.document(4_000) }));
  await sendBatch(program, documents);
  await untilProcessed(program, documents.length);
  // Once, before anything counts: it warms caches, and says when the work after the ingest is done.
  for (let at = 0; at < 100; at += 1) await post(program, "/api/search", { query: corpus.question() });

  const spent = new Map<string, number>();
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  for (let turn = 0; turn < rounds; turn += 1) {
    const questions = Array.from({ length: round }, () => corpus.question());
    // Each kind goes first as often as the others.
    for (const name of names.map((_, at) => names[(at + turn) % names.length] as keyof typeof kinds)) {
      const { path, headers, body } = kinds[name];
      const before = cpuSecondsOf(program.pid);
      for (const query of questions) {
        const answer = await fetch(program.url + path, {
          method: "POST",
          headers: { ...program.headers, accept: "application/json, text/event-stream", ...headers },
          body: JSON.stringify(body(query)),
        });
        const text = await answer.text();
        if (!answer.ok || text.includes('"isError":true')) throw new Error(`${name}: ${answer.status} ${text}`);
      }
      spent.set(name, (spent.get(name) ?? 0) + cpuSecondsOf(program.pid) - before);
    }
  }
  const perQuestion = (name: string): number => ((spent.get(name) ?? 0) * 1_000) / (rounds * round);
  for (const name of names)
    show(
      name,
      `${perQuestion(name).toFixed(2)} ms of CPU · ratio ${(perQuestion(name) / perQuestion("/api/search")).toFixed(2)}`,
    );
} finally {
  await program.stop();
  folder.remove();
}
