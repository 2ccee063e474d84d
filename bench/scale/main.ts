/**
 * What serving costs as the store grows:
 *
 *     bun run bench [NAME…] [--size 10k|100k|1m] [--binary dist/carrel] [--stores FOLDER] [--json FILE] [--check]
 *
 * NAME: questions, askers, beside, lists, writes, upkeep, disk, starts; all of them where none is given. A store of each size
 * is made once (100k takes some five minutes, 1m half an hour) and kept in --stores. Prints the machine and a table; a ratio is to the floor
 * that was measured in the same run. With --check the exit code is 1 where a goal is not reached.
 */
import { cpus, loadavg, release, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { commandOf } from "../serving/program.ts";
import { type Figure, isReached, tableOf } from "./figure.ts";
import { lists } from "./lists.ts";
import { askers, beside, questions } from "./questions.ts";
import { starts } from "./starts.ts";
import { type KeptStore, keptStore } from "./store.ts";
import { disk, upkeep, writes } from "./writes.ts";

const benches: Readonly<Record<string, (store: KeptStore) => Promise<Figure[]>>> = {
  starts,
  questions,
  askers,
  lists,
  writes,
  beside,
  upkeep,
  disk,
};
const sizes: Readonly<Record<string, number>> = { "10k": 10_000, "100k": 100_000, "1m": 1_000_000 };

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    size: { type: "string", default: "10k" },
    binary: { type: "string" },
    stores: { type: "string", default: join(tmpdir(), "carrel-bench-stores") },
    json: { type: "string" },
    check: { type: "boolean", default: false },
  },
});
const snippets = sizes[values.size];
if (snippets === undefined) throw new Error(`--size: ${Object.keys(sizes).join(", ")}`);
const unknown = positionals.find((name) => benches[name] === undefined);
if (unknown !== undefined) throw new Error(`${unknown}: there are ${Object.keys(benches).join(", ")}`);

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const [core] = cpus();
const machine = {
  cpu: core?.model ?? "unknown",
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${release()}`,
  bun: Bun.version,
  load: loadavg()[0] ?? 0,
};
const store = await keptStore(commandOf(values.binary), resolve(values.stores, values.size), snippets);
print(
  `${store.documents} documents, ${store.snippets} snippets; ${machine.cores} cores (${machine.cpu}), ${machine.memoryGb} GB,`,
);
print(`${machine.system}, Bun ${machine.bun}, load ${machine.load.toFixed(1)} at the start\n`);
const figures: Figure[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(benches)) {
  const found = await benches[name]?.(store);
  figures.push(...(found ?? []));
}
print(tableOf(figures));
if (values.json !== undefined)
  await Bun.write(
    values.json,
    JSON.stringify({ machine, documents: store.documents, snippets: store.snippets, figures }),
  );
process.exit(values.check && figures.some((figure) => isReached(figure) === false) ? 1 : 0);
