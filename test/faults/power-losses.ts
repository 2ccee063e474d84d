import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KillableServer } from "../../bench/serving/killable-server.ts";
import { type FaultRun, openStage } from "./kills.ts";
import { createPowerDisk, type PowerDisk, type PowerLoss } from "./power-disk.ts";

const kinds: readonly PowerLoss[] = ["torn", "mixed", "dropped"];

/** Whether every thread has stopped; one that waits for the disk goes on until it has what it waits for. */
const isStopped = async (pid: number): Promise<boolean> => {
  for await (const thread of new Bun.Glob("*/stat").scan({ cwd: `/proc/${pid}/task`, onlyFiles: false })) {
    const state = await readFile(join(`/proc/${pid}/task`, thread), "utf8").catch(() => ") T");
    if (!/\) [TtXZ]/.test(state)) return false;
  }
  return true;
};

/** The machine's power is gone: processor and disk stop in the same moment. */
const cutPower = async (server: KillableServer, disk: PowerDisk, loss: PowerLoss): Promise<void> => {
  try {
    process.kill(server.pid, "SIGSTOP"); // nothing is acknowledged any more that is not on the disk
  } catch (error) {
    // A server that could not start is gone.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
  while (!(await isStopped(server.pid))) await Bun.sleep(1);
  await disk.cut(loss);
  await server.kill();
  await disk.restore();
  await pretendReboot(join(disk.folder, "data", "lock"));
};

/** By the name of the machine's run a start tells whether it was the program alone that ended. */
const pretendReboot = async (lock: string): Promise<void> => {
  const holder = await readFile(lock, "utf8").catch(() => "");
  if (holder !== "") await writeFile(lock, holder.replace(/"boot":"[^"]*"/, '"boot":"before the power loss"'));
};

/**
 * Cuts the power at random moments of mixed writes.
 * @param run its folder is an empty one, where the disk is made
 * @returns null, or why nothing was done
 */
export const runPowerLosses = async (run: FaultRun, losses: number): Promise<string | null> => {
  const disk = await createPowerDisk(run.folder, run.random);
  if (typeof disk === "string") return disk;
  const stage = await openStage({ ...run, folder: disk.folder });
  try {
    for (let loss = 1; loss <= losses; loss += 1) {
      const kind = kinds[loss % kinds.length] as PowerLoss;
      await stage.round(`power loss ${loss} (${kind})`, (server) => cutPower(server, disk, kind));
    }
    await stage.finish();
    return null;
  } finally {
    await stage.stop();
    await disk.remove();
  }
};
