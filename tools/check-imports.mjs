// `bun run imports`: the rules of .dependency-cruiser.cjs, and no circles of folders, of which dependency-cruiser knows only
// those between folders with all that is in them.

import { dirname } from "node:path/posix";
import { cruise, format } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options";

const product = ["src", "providers", "config"];

const options = await extractOptions("./.dependency-cruiser.cjs");
const { output: result } = await cruise([...product, "clients/typescript/src", "bench", "test", "tools"], options);
const { output: report, exitCode } = await format(result, { outputType: "err" });
process.stdout.write(report);

/** By folder, the folders that its own files import, and by which import. */
const folders = new Map();
for (const { source, dependencies } of result.modules) {
  const from = dirname(source);
  if (!product.some((root) => from === root || from.startsWith(`${root}/`))) continue;
  const imported = folders.get(from) ?? new Map();
  folders.set(from, imported);
  for (const { resolved } of dependencies) {
    const to = dirname(resolved);
    if (to !== from && !imported.has(to)) imported.set(to, `${source} → ${resolved}`);
  }
}

/** The imports that lead from a folder back to it, the fewest; null where none do. */
const circleFrom = (start) => {
  const ways = [[start, []]];
  const seen = new Set();
  for (const [folder, way] of ways) {
    for (const [to, by] of folders.get(folder) ?? []) {
      if (to === start) return [...way, by];
      if (seen.has(to)) continue;
      seen.add(to);
      ways.push([to, [...way, by]]);
    }
  }
  return null;
};

const circles = [...folders.keys()].map(circleFrom).filter((circle) => circle !== null);
const [shortest] = circles.sort((one, other) => one.length - other.length);
if (shortest !== undefined) {
  process.stdout.write(`  error circle-of-folders, of ${circles.length} folders in one; the shortest:\n`);
  for (const by of shortest) process.stdout.write(`    ${by}\n`);
}
process.exitCode = shortest === undefined ? exitCode : 1;
