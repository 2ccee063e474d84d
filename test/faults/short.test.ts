import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { compiledBinary } from "../compiled-binary.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type FaultRun, runKills } from "./kills.ts";
import { createPowerDisk } from "./power-disk.ts";
import { runPowerLosses } from "./power-losses.ts";
import { createRandom } from "./random.ts";
import { createReport, type Report } from "./report.ts";

/** A few of the faults of `npm run test:faults`. */
const command = [await compiledBinary()];

const reportOf = async (work: (run: FaultRun) => Promise<unknown>): Promise<Report> => {
  const folder = await temporaryFolder("faults");
  const seed = Date.now() % 1_000_000;
  const report = createReport();
  const said: string[] = [`seed ${seed}`];
  const skipped = await work({ command, folder, random: createRandom(seed), report, say: (line) => said.push(line) });
  expect(skipped).not.toBeString();
  const { lost, half, starts, answers } = report;
  expect({ said, lost, half, starts, answers }).toEqual({ said, lost: [], half: [], starts: [], answers: [] });
  // It was killed while it wrote; how much it had done by then depends on the machine.
  expect(report.acknowledged).toBeGreaterThan(3);
  expect(report.compared).toBeGreaterThan(3);
  await rm(folder, { recursive: true, force: true });
  return report;
};

test("killed in the midst of mixed writes, it has lost nothing and has nothing half", async () => {
  await reportOf((run) => runKills(run, 1));
}, 240_000);

/** A disk of its own can be mounted. */
const canCutPower = await (async () => {
  const parent = await temporaryFolder("faults");
  const disk = await createPowerDisk(parent, createRandom(1));
  if (typeof disk === "string") {
    console.warn(`power losses are skipped: ${disk}`);
    await rm(parent, { recursive: true, force: true });
    return false;
  }
  await disk.remove();
  return true;
})();

test.skipIf(!canCutPower)(
  "after a power loss it has what it had acknowledged",
  async () => {
    await reportOf((run) => runPowerLosses(run, 1));
  },
  240_000,
);
