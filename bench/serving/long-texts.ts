import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandOf, post, startProgram } from "./program.ts";

/** Asks how long a long text holds up everybody else: its ingest, and reading it back. `bun long-texts.ts [BINARY]` */

const pollEveryMs = 20;
const characters = 10_000_000;
const times = 3;

const prose = "The reading room opens at nine in winter, and the gate of the garden closes at noon. ";
const han = "冬天阅览室上午九点开门，花园的大门中午十二点关闭。";
const filled = (unit: string, bytes: number): string =>
  unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit))).slice(0, bytes);

const texts = {
  "ASCII prose, 10 MB": filled(prose, characters),
  "Han, 10 MB": han.repeat(Math.ceil(characters / Buffer.byteLength(han))),
  "Han, 10 million characters": han.repeat(Math.ceil(characters / han.length)),
};

const folder = await mkdtemp(join(tmpdir(), "carrel-long-texts-"));
const program = await startProgram(commandOf(process.argv[2]), folder);

/** Longest and mean wait of a health check while the work runs, on a connection of its own. */
const whilePolling = async <T>(work: () => Promise<T>): Promise<{ result: T; longestMs: number; workMs: number }> => {
  const poller = new Worker(new URL("./long-texts-poller.ts", import.meta.url).href, { type: "module" });
  const next = () =>
    new Promise<MessageEvent>((resolve) => poller.addEventListener("message", resolve, { once: true }));
  poller.postMessage({ url: `${program.url}/health/live`, pollEveryMs });
  await next();
  const started = performance.now();
  const result = await work();
  const workMs = performance.now() - started;
  poller.postMessage("stop");
  const { data } = await next();
  poller.terminate();
  return { result, longestMs: data as number, workMs };
};

try {
  process.stdout.write(
    "| text | ingest: longest wait, ms | whole, ms | read as JSON | read as text |\n|---|---|---|---|---|\n",
  );
  await post(program, "/api/ingest", { name: "warm", text: prose });
  for (const [name, text] of Object.entries(texts)) {
    const waits: number[][] = [];
    for (let time = 0; time < times; time++) {
      const ingest = await whilePolling(() => post(program, "/api/ingest", { name: `${name} ${time}`, text }));
      const { id } = ingest.result as { id: string };
      const read = (path: string) => async () => {
        const answer = await fetch(`${program.url}/api/document/${id}${path}`, { headers: program.headers });
        return (await answer.arrayBuffer()).byteLength;
      };
      const json = await whilePolling(read(""));
      const plain = await whilePolling(read("/text"));
      waits.push([ingest.longestMs, ingest.workMs, json.longestMs, plain.longestMs]);
    }
    const cells = [0, 1, 2, 3].map((column) => {
      const sorted = waits.map((row) => Math.round(row[column] ?? 0)).sort((a, b) => a - b);
      return `${sorted[0]}–${sorted.at(-1)}`;
    });
    process.stdout.write(`| ${name} | ${cells.join(" | ")} |\n`);
  }
} finally {
  await program.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
