// `npm run test:faults`: builds the program, kills it, cuts its power and fills its disk in the midst of writes, and
// compares what it holds after each with what it had acknowledged. Options (after `--`): see test/faults/run.ts. Then the
// tests of test/faults that take too long for `npm test` (`*.fault.ts`).
// Cutting the power and filling a disk need root and Linux, for a file system of their own; they are skipped without.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bunPath, ensureInstalled, root } from "./install.mjs";

const run = (program, options) =>
  new Promise((resolve) => {
    const child = spawn(program, options, { cwd: root, stdio: "inherit" });
    child.on("error", () => resolve(1));
    child.on("close", (status) => resolve(status ?? 1));
  });

ensureInstalled();
const built = await run(process.execPath, [join(root, "tools/build.mjs")]);
const long = readdirSync(join(root, "test/faults"))
  .filter((name) => name.endsWith(".fault.ts"))
  .map((name) => `./test/faults/${name}`);
process.exitCode =
  built ||
  (await run(bunPath(), [join(root, "test/faults/run.ts"), ...process.argv.slice(2)])) ||
  (await run(bunPath(), ["test", "--timeout=600000", ...long]));
