// `npm test`: installs, then types, lint and format, and every test. The last line is `N passed, N failed, N skipped`.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { bunPath, ensureInstalled, root } from "./install.mjs";

/** Runs a program, shows what it says. @returns its exit status and what it wrote */
const run = (program, options) =>
  new Promise((resolve) => {
    // With CI set, Bun fails a test whose snapshot is missing instead of writing it.
    const env = { ...process.env, CI: "1" };
    const child = spawn(program, options, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const [source, sink] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])
      source.on("data", (chunk) => {
        output += chunk;
        sink.write(chunk);
      });
    child.on("error", (error) => resolve({ status: 1, output: String(error) }));
    child.on("close", (status) => resolve({ status: status ?? 1, output }));
  });

ensureInstalled();
const bun = bunPath();
const tool = (name) => join(root, "node_modules/.bin", name);
const checks = [
  ["types", [tool("tsc"), "--noEmit"]],
  ["types of the pages", [tool("tsc"), "--noEmit", "-p", "src/web/browser"]],
  ["lint and format", [tool("biome"), "ci", "--colors=off", "."]],
  ["imports", [bun, "run", "imports"]],
  ["regular expressions", [process.execPath, join(root, "tools/check-regexes.mjs")]],
];

let failedChecks = 0;
for (const [name, [program, ...options]] of checks) {
  console.log(`# ${name}`);
  const { status } = await run(program, options);
  if (status !== 0) {
    failedChecks += 1;
    console.log(`# ${name}: failed`);
  }
}

console.log("# tests");
// package.json has the time limit of a test.
const { status, output } = await run(bun, ["run", "--silent", "test:files", ...process.argv.slice(2)]);
/** The last ` 12 pass` of Bun's summary; a test may print the like before. */
const counted = (word) => Number([...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
const passed = counted("pass");
let failed = counted("fail") + counted("errors?") + failedChecks;
// Ended badly without naming a failed test (a crash), or ran none: neither is a success.
if (failed === failedChecks && (status !== 0 || passed === 0)) failed += 1;
// Bun repeats the skipped tests in its summary.
const skipped = new Set([...output.matchAll(/^\((?:skip|todo)\) .*$/gm)].map(([line]) => line));
if (skipped.size > 0) console.log(`# skipped\n${[...skipped].join("\n")}`);
console.log(`${passed} passed, ${failed} failed, ${counted("skip") + counted("todo")} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
