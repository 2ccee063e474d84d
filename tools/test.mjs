// `npm test`: installs, then types, lint and format, and every test. The last line is `N passed, N failed, N skipped`.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { bunPath, ensureInstalled, root } from "./install.mjs";

/**
 * Runs a program and shows what it says, at once or, if another one is shown at the same time, at its end.
 * @returns its exit status and what it wrote
 */
const run = (program, options, isShownAtOnce = true) =>
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
        if (isShownAtOnce) sink.write(chunk);
      });
    const end = (status, text) => {
      if (!isShownAtOnce) process.stdout.write(text);
      resolve({ status, output: text });
    };
    child.on("error", (error) => end(1, String(error)));
    child.on("close", (status) => end(status ?? 1, output));
  });

ensureInstalled();
const bun = bunPath();
// Tests of the binary find it made; the checks meanwhile leave a processor free.
const building = run(process.execPath, [join(root, "tools/build.mjs"), "--if-changed"], false);
const tool = (name) => join(root, "node_modules/.bin", name);
const checks = [
  ["types", [tool("tsc"), "--noEmit"]],
  ["types of the pages", [tool("tsc"), "--noEmit", "-p", "src/web/browser"]],
  ["lint and format", [tool("biome"), "ci", "--colors=off", "."]],
  ["imports", [bun, "run", "imports"]],
  ["regular expressions", [process.execPath, join(root, "tools/regexes/check-regexes.mjs")]],
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

console.log("# binary");
if ((await building).status !== 0) {
  failedChecks += 1;
  console.log("# binary: failed");
}

console.log("# tests");
/** The files that are given, or all of them in halves that run side by side: most tests wait more than they work. */
const given = process.argv.slice(2);
const files = readdirSync(join(root, "test"), { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `./${join("test", name)}`)
  .sort();
const halves = [0, 1].map((half) => files.filter((_, at) => at % 2 === half));
const parts = given.length > 0 ? [given] : halves;
// package.json has the time limit of a test.
const runs = await Promise.all(parts.map((part, at) => run(bun, ["run", "--silent", "test:files", ...part], at === 0)));

/** The last ` 12 pass` of Bun's summary; a test may print the like before. */
const countedIn = (output, word) =>
  Number([...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
const counted = (word) => runs.reduce((sum, { output }) => sum + countedIn(output, word), 0);
// A part that ended badly without naming a failed test (a crash), or ran none, is no success either.
const endedBadly = runs.filter(
  ({ status, output }) =>
    countedIn(output, "fail") + countedIn(output, "errors?") === 0 && (status !== 0 || countedIn(output, "pass") === 0),
).length;
const failed = counted("fail") + counted("errors?") + endedBadly + failedChecks;
// Bun repeats the skipped tests in its summary.
const skipped = new Set(
  runs.flatMap(({ output }) => [...output.matchAll(/^\((?:skip|todo)\) .*$/gm)].map(([line]) => line)),
);
if (skipped.size > 0) console.log(`# skipped\n${[...skipped].join("\n")}`);
console.log(`${counted("pass")} passed, ${failed} failed, ${counted("skip") + counted("todo")} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
