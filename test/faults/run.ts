/**
 * The server under faults, and after each an audit of everything it had acknowledged:
 *
 *     bun test/faults/run.ts [--kills 100] [--losses 20] [--full 5] [--imports 20] [--full-deletes 10] [--flips 100] [--seed N] [--binary dist/carrel]
 *
 * Ends with exit status 0 where nothing acknowledged was lost, nothing was left half done and every start succeeded,
 * and where the same power losses with syncing switched off were noticed.
 */
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runFlips } from "./flips.ts";
import { runFullDeletes } from "./full-deletes.ts";
import { runFullDisk } from "./full-disk.ts";
import { runImports } from "./imports.ts";
import { type FaultRun, runKills } from "./kills.ts";
import { runPowerLosses } from "./power-losses.ts";
import { createRandom } from "./random.ts";
import { createReport, describeReport, faultsOf } from "./report.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    losses: { type: "string", default: "20" },
    full: { type: "string", default: "5" },
    imports: { type: "string", default: "20" },
    "full-deletes": { type: "string", default: "10" },
    flips: { type: "string", default: "100" },
    "flip-only": { type: "string", default: "." },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    binary: { type: "string", default: "dist/carrel" },
  },
});
const seed = Number(values.seed);
const program = resolve(import.meta.dir, "../../src/main.ts");
const binary = [resolve(values.binary)];
/** Where syncing is replaced by nothing, the program runs from its source. */
const withoutSync = [process.execPath, "--preload", join(import.meta.dir, "without-sync.ts"), program];
/** As many power losses as notice for certain that nothing is synced. */
const lossesWithoutSync = 3;

/** Files of a disk of its own are best kept in memory: they are written over and over. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const outcomes: string[] = [];
let failed = false;

/** Runs one kind of fault. `isSelfCheck`: it is to find faults, for there are some. */
const run = async (
  title: string,
  { command, parent, isSelfCheck = false }: { command: string[]; parent: string; isSelfCheck?: boolean },
  work: (run: FaultRun) => Promise<string | null>,
): Promise<void> => {
  const report = createReport();
  const folder = mkdtempSync(join(parent, "carrel-faults-"));
  const began = Date.now();
  console.log(`# ${title}, seed ${seed}`);
  const say = (line: string): void => console.log(`  ${line}`);
  const isQuiet = isSelfCheck; // what its server says of a store that is lost is what was to be seen
  const skipped = await work({ command, folder, random: createRandom(seed), report, say, isQuiet });
  const seconds = Math.round((Date.now() - began) / 1_000);
  const faults = faultsOf(report);
  if (skipped !== null) outcomes.push(`${title}: SKIPPED, ${skipped}`);
  else {
    const isRight = isSelfCheck ? faults > 0 : faults === 0;
    failed ||= !isRight;
    const [figures = "", ...told] = describeReport(report);
    outcomes.push(`${title}: ${isRight ? "passed" : "FAILED"} in ${seconds} s: ${figures}`);
    if (!isSelfCheck) outcomes.push(...told);
  }
  if (faults === 0 || isSelfCheck) await rm(folder, { recursive: true, force: true });
  else outcomes.push(`  what is left of the data is in ${folder}`);
};

const counts = {
  kills: Number(values.kills),
  losses: Number(values.losses),
  full: Number(values.full),
  imports: Number(values.imports),
  fullDeletes: Number(values["full-deletes"]),
  flips: Number(values.flips),
};
if (counts.kills > 0)
  await run(`${counts.kills} kills`, { command: binary, parent: tmpdir() }, async (kills) => {
    await runKills(kills, counts.kills);
    return null;
  });
if (counts.losses > 0) {
  const title = `${lossesWithoutSync} power losses without syncing, which are to be noticed`;
  await run(title, { command: withoutSync, parent: memory, isSelfCheck: true }, (losses) =>
    runPowerLosses(losses, lossesWithoutSync),
  );
  await run(`${counts.losses} power losses`, { command: binary, parent: memory }, (losses) =>
    runPowerLosses(losses, counts.losses),
  );
}
if (counts.full > 0)
  await run(`${counts.full} times a full disk`, { command: binary, parent: tmpdir() }, (full) =>
    runFullDisk(full, counts.full),
  );
if (counts.imports > 0)
  await run(`${counts.imports} imports side by side`, { command: binary, parent: tmpdir() }, async (imports) => {
    await runImports(imports, counts.imports);
    return null;
  });
if (counts.fullDeletes > 0)
  await run(`${counts.fullDeletes} times deletes on a full disk`, { command: binary, parent: tmpdir() }, (deletes) =>
    runFullDeletes(deletes, counts.fullDeletes),
  );
if (counts.flips > 0)
  await run(`${counts.flips} flipped bits`, { command: binary, parent: memory }, async (flips) => {
    await runFlips(flips, counts.flips, new RegExp(values["flip-only"]));
    return null;
  });
for (const outcome of outcomes) console.log(outcome);
process.exitCode = failed ? 1 : 0;
