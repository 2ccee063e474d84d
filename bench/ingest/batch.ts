/**
 * Many small documents in one batch, until the last of them is found:
 *
 *     bun bench/ingest/batch.ts [BINARY|-] [documents] [characters]
 *
 * Prints documents a second against the work that cannot be avoided (the same lines parsed, cut, analyzed, embedded and
 * written with one LanceDB call in process, in the same run), and resident memory on the way. Three times, each with a
 * server and a floor that are new and have nothing compiled yet, for something else may disturb one of them.
 */
import { join } from "node:path";
import { quantile, show } from "../serving/figures.ts";

const rounds = 3;
const ratios: number[] = [];
for (let round = 1; round <= rounds; round++) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "batch-round.ts"), ...process.argv.slice(2)], {
    stdout: "inherit",
    stderr: "inherit",
    ipc: (ratio: number) => void ratios.push(ratio),
  });
  if ((await child.exited) !== 0) process.exit(1);
  console.log();
}
show(`ratio, the middle one of ${ratios.length} (aim: at most 1.5)`, quantile(ratios, 0.5).toFixed(2));
