import { AssertionError } from "node:assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type KillableServer, startKillable } from "../../bench/serving/killable-server.ts";
import { listSnapshots, snapshotsFolder } from "../../src/store/snapshots/snapshots.ts";
import { auditStored } from "../store/stored/audit.ts";
import type { Expected } from "../store/stored/expected.ts";
import { hashesIn, type StoredVersionName, storedVersions, unpackStore } from "../store/stored/unpack.ts";
import type { FaultRun } from "./kills.ts";
import { withPatience } from "./patience.ts";
import { stopServer } from "./store-audit.ts";

export const settings = { CARREL_MODELS_EMBEDDING_MODEL: "static" };
/** A start takes no longer. */
export const maxStartMs = 60_000;
/** Kills come this much later than the slowest start, too: then the upgrade is complete. */
const slack = 1.2;

/** Starts the program on the store; the audit compares what it holds. */
export const startSoundly = async (
  run: FaultRun,
  folder: string,
  expected: Expected,
  moment: string,
): Promise<void> => {
  const server = startKillable(run.command, folder, settings, run.isQuiet);
  const url = await withPatience(server.url, maxStartMs);
  if (url === null) {
    run.report.starts.push(`${moment}: the server does not listen`);
    await server.kill();
    return;
  }
  try {
    await auditStored(url, expected);
    run.report.compared += expected.documents.length;
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    run.report.lost.push(`${moment}: ${error.message}`);
  }
  await stopServer(server, run.report, moment);
};

/** Runs `restore --snapshot`. @param killAfterMs null: to its end @returns whether it ended with status 0 */
export const restore = async (run: FaultRun, folder: string, killAfterMs: number | null): Promise<boolean> => {
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

/** Waits until the upgrade has begun: the native parts are unpacked before, which takes seconds. */
export const untilBegun = async (dataDir: string, server: KillableServer): Promise<void> => {
  let isOver = false;
  void server.url.then(() => {
    isOver = true;
  });
  while (!isOver && !existsSync(snapshotsFolder(dataDir))) await Bun.sleep(1);
};

/** How long an upgrade takes, from its snapshot until the server listens. */
export const measure = async (run: FaultRun, name: StoredVersionName): Promise<number> => {
  const { dataDir, dispose } = await unpackStore(name);
  const server = startKillable(run.command, join(dataDir, ".."), settings, run.isQuiet);
  await untilBegun(dataDir, server);
  const began = performance.now();
  await withPatience(server.url, maxStartMs);
  const tookMs = performance.now() - began;
  await server.kill();
  await dispose();
  return tookMs;
};

/**
 * Kills the program at random moments of the upgrade of a stored store, and of the way back. Each kill is followed by a
 * start, or by a restore of the snapshot, after which the store is byte for byte what it was.
 */
export const runUpgradeKills = async (run: FaultRun, kills: number): Promise<void> => {
  const { random, report, say } = run;
  const older = storedVersions.slice(0, -1);
  let longestMs = 0;
  for (const name of older) longestMs = Math.max(longestMs, await measure(run, name));
  for (let kill = 1; kill <= kills; kill += 1) {
    const name = random.pick(older);
    const { dataDir, expected, dispose } = await unpackStore(name);
    const folder = join(dataDir, "..");
    const before = await hashesIn(dataDir);
    const afterMs = random.below(longestMs * slack);
    const moment = `kill ${kill} (${name}, ${afterMs} ms after the upgrade began)`;
    const server = startKillable(run.command, folder, settings, run.isQuiet);
    await untilBegun(dataDir, server);
    await Bun.sleep(afterMs);
    await server.kill();
    const [snapshot] = await listSnapshots(dataDir);
    if (snapshot === undefined && !Bun.deepEquals(await hashesIn(dataDir), before))
      report.half.push(`${moment}: changed without a snapshot`);
    const goesBack = snapshot !== undefined && kill % 2 === 0;
    if (goesBack) {
      await restore(run, folder, random.below(longestMs));
      if (!(await restore(run, folder, null))) report.starts.push(`${moment}: the restore failed`);
      if (!Bun.deepEquals(await hashesIn(dataDir), before))
        report.half.push(`${moment}: the restore is not what it was`);
    }
    await startSoundly(run, folder, expected, moment);
    const state = snapshot === undefined ? "no snapshot" : snapshot.isComplete ? "upgraded" : "half upgraded";
    say(`${moment}: ${state}, ${goesBack ? "taken back" : "started again"}`);
    await dispose();
  }
};
