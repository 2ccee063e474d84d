import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type KillableServer, startKillable } from "../../bench/serving/killable-server.ts";
import { listSnapshots } from "../../src/store/snapshots/snapshots.ts";
import type { Expected } from "../store/stored/expected.ts";
import { hashesIn, storedVersions, unpackStore } from "../store/stored/unpack.ts";
import { createClient } from "./client.ts";
import type { FaultRun } from "./kills.ts";
import { withPatience } from "./patience.ts";
import { createBallast, mountSmallDisk, unmountSmallDisk } from "./small-disk.ts";
import { maxStartMs, measure, restore, settings, startSoundly, untilBegun } from "./upgrades.ts";

const megabyte = 1024 ** 2;
/** Free before an upgrade: with more than 96 MB the store keeps some in reserve. */
const roomBytes = [80 * megabyte, 120 * megabyte];
/** Left when the disk is full: pieces of files still fit. */
const leftBytes = [0, 0, 4_096, 16_384, 65_536];
/** As long as the space may be gone that comes back at once. */
const maxGoneMs = 30;
/** One in so many times the space comes back at once: then LanceDB does not notice that a file was cut off. */
const roundsOfGap = 4;

interface Listener {
  server: KillableServer;
  /** What it says on standard error. */
  said(): string;
}

const start = (run: FaultRun, folder: string): Listener => {
  let text = "";
  const server = startKillable(run.command, folder, settings, run.isQuiet, (more) => {
    text += more;
  });
  return { server, said: () => text };
};

/** A server on a full disk either answers, or says what to do and ends. @returns whether it answers */
const judge = async (run: FaultRun, { server, said }: Listener, expected: Expected, moment: string) => {
  const url = await withPatience(server.url, maxStartMs);
  if (url === null) {
    if (!/^carrel: .* is full: free|free some space/m.test(said()) || /\.rs:|\n +at /.test(said()))
      run.report.starts.push(`${moment}: it does not say what to do: ${said().slice(0, 500)}`);
  } else {
    const listed = await createClient(url, expected.keys.admin).call("GET", "/api/document?limit=100");
    run.report.searched += 1;
    const wanted = expected.documents.filter(({ organization }) => organization === "default").length;
    if (listed.status !== 200 || listed.body.length !== wanted)
      run.report.lost.push(`${moment}: the documents are ${listed.status}, ${listed.body.length}`);
  }
  await server.kill();
  return url !== null;
};

/** The program unpacks its native parts once, for all rounds. @returns where they are; null where it has none */
const unpackRuntime = async (run: FaultRun): Promise<string | null> => {
  const server = startKillable(run.command, run.folder, settings, run.isQuiet);
  await withPatience(server.url, maxStartMs);
  await server.kill();
  const runtime = join(run.folder, "runtime");
  if (existsSync(join(run.folder, "data/runtime"))) await rename(join(run.folder, "data/runtime"), runtime);
  await rm(join(run.folder, "data"), { recursive: true, force: true });
  return existsSync(runtime) ? runtime : null;
};

/**
 * Fills a small disk at random moments of the upgrade of a stored store: in most rounds to the last byte or nearly, in
 * some for a moment. The program is started on the full disk, in half of the rounds its way back is taken there too, and
 * again when there is room.
 * @returns null, or why nothing was done
 */
export const runFullUpgrades = async (run: FaultRun, rounds: number): Promise<string | null> => {
  const { random, report, say } = run;
  const failure = await mountSmallDisk(run.folder);
  if (failure !== null) return failure;
  const ballast = createBallast(run.folder);
  try {
    const older = storedVersions.slice(0, -1);
    let longestMs = 0;
    for (const name of older) longestMs = Math.max(longestMs, await measure(run, name));
    const runtime = await unpackRuntime(run);
    for (let round = 1; round <= rounds; round += 1) {
      const name = random.pick(older);
      const { dataDir, expected, dispose } = await unpackStore(name, run.folder);
      const folder = join(dataDir, "..");
      if (runtime !== null) await rename(runtime, join(dataDir, "runtime"));
      const before = await hashesIn(dataDir);
      const afterMs = random.below(longestMs);
      const moment = `full disk ${round} (${name}, ${afterMs} ms after the upgrade began)`;
      await ballast.growUntil(random.pick(roomBytes));

      const upgrading = start(run, folder);
      await untilBegun(dataDir, upgrading.server);
      await Bun.sleep(afterMs);
      await ballast.growUntil(random.pick(leftBytes));
      const comesBack = round % roundsOfGap === 0;
      if (comesBack) {
        await Bun.sleep(random.below(maxGoneMs));
        await ballast.remove();
      }
      const states = [await judge(run, upgrading, expected, moment)];
      if (!comesBack) {
        await ballast.growUntil(0);
        states.push(await judge(run, start(run, folder), expected, `${moment}, started on a full disk`));
      }
      const [snapshot] = await listSnapshots(dataDir);
      if (snapshot === undefined && !Bun.deepEquals(await hashesIn(dataDir), before))
        report.half.push(`${moment}: changed without a snapshot`);
      const goesBack = snapshot !== undefined && round % 2 === 0;
      if (goesBack) await restore(run, folder, null);
      await ballast.remove();
      if (goesBack) {
        if (!(await restore(run, folder, null))) report.starts.push(`${moment}: the restore failed`);
        if (!Bun.deepEquals(await hashesIn(dataDir), before))
          report.half.push(`${moment}: the restore is not what it was`);
      }
      await startSoundly(run, folder, expected, moment);
      const state = snapshot === undefined ? "no snapshot" : snapshot.isComplete ? "upgraded" : "half upgraded";
      say(`${moment}: ${states.map((answers) => (answers ? "answers" : "refused")).join(", ")}; ${state}`);
      if (runtime !== null) await rename(join(dataDir, "runtime"), runtime);
      await dispose();
    }
    return null;
  } finally {
    await unmountSmallDisk(run.folder);
    await rm(run.folder, { recursive: true, force: true });
  }
};
