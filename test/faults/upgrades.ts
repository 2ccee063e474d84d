import { AssertionError } from "node:assert";
import { join } from "node:path";
import { startKillable } from "../../bench/serving/killable-server.ts";
import { listSnapshots } from "../../src/store/snapshots/snapshots.ts";
import { auditStored } from "../store/stored/audit.ts";
import type { Expected } from "../store/stored/expected.ts";
import { hashesIn, storedVersions, unpackStore } from "../store/stored/unpack.ts";
import type { FaultRun } from "./kills.ts";
import { stopServer } from "./store-audit.ts";

const settings = { CARREL_MODELS_EMBEDDING_MODEL: "static" };
/** A start takes no longer. */
const mostStartMs = 60_000;
/** Kills come this much later than the slowest start, too: then the upgrade is complete. */
const slack = 1.2;

/** Starts the program on the store; the audit compares what it holds. @returns how long the start took */
const startSoundly = async (run: FaultRun, folder: string, expected: Expected, moment: string): Promise<number> => {
  const began = performance.now();
  const server = startKillable(run.command, folder, settings, run.isQuiet);
  const url = await Promise.race([server.url, Bun.sleep(mostStartMs).then(() => null)]);
  const tookMs = performance.now() - began;
  if (url === null) {
    run.report.starts.push(`${moment}: the server does not listen`);
    await server.kill();
    return tookMs;
  }
  try {
    await auditStored(url, expected);
    run.report.compared += expected.documents.length;
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    run.report.lost.push(`${moment}: ${error.message}`);
  }
  await stopServer(server, run.report, moment);
  return tookMs;
};

/** Runs `restore --snapshot`. @param killAfterMs null: to its end @returns whether it ended with status 0 */
const restore = async (run: FaultRun, folder: string, killAfterMs: number | null): Promise<boolean> => {
  const child = Bun.spawn([...run.command, "restore", "--snapshot"], {
    cwd: folder,
    env: { PATH: "", HOME: folder, TMPDIR: process.env.TMPDIR ?? "/tmp", CARREL_DATA_DIR: join(folder, "data") },
    stdout: "ignore",
    stderr: "ignore",
  });
  if (killAfterMs !== null) {
    await Promise.race([Bun.sleep(killAfterMs), child.exited]);
    child.kill("SIGKILL");
  }
  return (await child.exited) === 0;
};

/**
 * Kills the program at random moments of the upgrade of a stored store, and of the way back. Each kill is followed by a
 * start, or by a restore of the snapshot, after which the store is byte for byte what it was.
 */
export const runUpgradeKills = async (run: FaultRun, kills: number): Promise<void> => {
  const { random, report, say } = run;
  const older = storedVersions.slice(0, -1);
  let longestMs = 0;
  for (const name of older) {
    const { dataDir, expected, dispose } = await unpackStore(name);
    longestMs = Math.max(longestMs, await startSoundly(run, join(dataDir, ".."), expected, `${name}, not killed`));
    await dispose();
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    const name = random.pick(older);
    const { dataDir, expected, dispose } = await unpackStore(name);
    const folder = join(dataDir, "..");
    const before = JSON.stringify(await hashesIn(dataDir));
    const afterMs = random.below(longestMs * slack);
    const moment = `kill ${kill} (${name}, after ${afterMs} ms)`;
    const server = startKillable(run.command, folder, settings, run.isQuiet);
    await Bun.sleep(afterMs);
    await server.kill();
    const isKept = (await listSnapshots(dataDir)).length > 0;
    if (!isKept && JSON.stringify(await hashesIn(dataDir)) !== before)
      report.half.push(`${moment}: changed without a snapshot`);
    const goesBack = isKept && random.next() < 0.5;
    if (goesBack) {
      await restore(run, folder, random.below(longestMs));
      if (!(await restore(run, folder, null))) report.starts.push(`${moment}: the restore failed`);
      if (JSON.stringify(await hashesIn(dataDir)) !== before)
        report.half.push(`${moment}: the restore is not what it was`);
    }
    await startSoundly(run, folder, expected, moment);
    say(`${moment}: ${isKept ? "with" : "without"} a snapshot, ${goesBack ? "taken back" : "started again"}`);
    await dispose();
  }
};
