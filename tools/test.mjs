// `npm test`: installs, then types, lint and format, and every test. The last line is `N passed, N failed, N skipped`.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { bunPath, ensureInstalled, root } from "./install.mjs";
import { skippedIn, talliesOf, unprovenFiles } from "./test-output.mjs";

const memoryFolder = "/dev/shm";
/** More than three times what all tests together had there at once. */
const neededBytes = 4 * 2 ** 30;

/**
 * Where the tests make their folders: in memory where there is plenty, since stores wait for each of their small writes to
 * be on the disk. Three files of test/contract took 33 s instead of 47 so, and a fifth less of the processors.
 */
const placeOfFolders = () => {
  let folder = null;
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    if (Math.min(bavail * bsize, freemem()) < neededBytes) return tmpdir();
    folder = mkdtempSync(join(memoryFolder, "c-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));
    // Some systems run nothing that lies there.
    const program = join(folder, "runs");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    return spawnSync(program).status === 0 ? folder : tmpdir();
  } catch {
    return tmpdir();
  }
};
const folders = placeOfFolders();

/**
 * Runs a program and shows what it says, at once or, if another one is shown at the same time, at its end.
 * @returns its exit status and what it wrote
 */
const run = (program, options, isShownAtOnce = true) =>
  new Promise((resolve) => {
    // With CI set, Bun fails a test whose snapshot is missing instead of writing it.
    const env = { ...process.env, CI: "1", TMPDIR: folders };
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
let failedChecks = 0;
const check = async (name, program, options) => {
  const { status } = await run(program, options, false);
  console.log(`# ${name}: ${status === 0 ? "passed" : "failed"}`);
  if (status !== 0) failedChecks += 1;
};
// Tests of the binary find it made.
await check("binary", process.execPath, [join(root, "tools/build.mjs"), "--if-changed"]);
const tool = (name) => join(root, "node_modules/.bin", name);
const checks = [
  ["types", [tool("tsc"), "--noEmit"]],
  ["types of the pages", [tool("tsc"), "--noEmit", "-p", "src/web/browser"]],
  ["lint and format", [tool("biome"), "ci", "--colors=off", "."]],
  ["imports", [bun, "run", "imports"]],
  ["regular expressions", [process.execPath, join(root, "tools/regexes/check-regexes.mjs")]],
];

/** One after another, beside the first tests: most of these wait more than they work. */
const runChecks = async () => {
  for (const [name, [program, ...options]] of checks) await check(name, program, options);
};

console.log("# tests");
/** Runs side by side: most tests wait more than they work, and three left a quarter of two processors idle. */
const runCount = 4;
/**
 * A run takes two seconds of a processor to load the program and to get fast, so a batch has many files; those that take
 * longest come first and in smaller batches, so that no run goes on alone for long. Those of pages share a browser.
 */
const kinds = [
  { of: /^\.\/test\/web\//, batchSize: 10 },
  {
    of: /^\.\/test\/(?:evaluation|faults|contract|embedder|store|commands|backup|portability|doctor|parse)\//,
    batchSize: 14,
  },
  { of: /^/, batchSize: 32 },
];
/** Files in batches of a size, each with some from all places. */
const batchesOf = (files, size) => {
  const count = Math.ceil(files.length / size);
  return Array.from({ length: count }, (_, batch) => files.filter((_, at) => at % count === batch));
};
const given = process.argv.slice(2);
const files = readdirSync(join(root, "test"), { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `./${join("test", name)}`)
  .sort();
const batches =
  given.length > 0
    ? [given]
    : kinds.flatMap((kind) =>
        batchesOf(
          files.filter((file) => kinds.find(({ of }) => of.test(file)) === kind),
          kind.batchSize,
        ),
      );
// package.json has the time limit of a test.
const runTests = (part, isShownAtOnce) => run(bun, ["run", "--silent", "test:files", ...part], isShownAtOnce);
const runs = [];
const waiting = [...batches.keys()];
const runWaiting = async () => {
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift())
    runs[at] = await runTests(batches[at], batches.length === 1);
};
await Promise.all([runChecks(), ...Array.from({ length: Math.min(runCount, batches.length) }, runWaiting)]);

// What failed beside others is run once more by itself: a test that fails twice is at fault, one that fails once is named.
const unproven = batches.flatMap((batch, at) => unprovenFiles(batch, runs[at]));
const tallies = new Map(runs.flatMap(({ output }) => [...talliesOf(output)]));
let endedBadly = 0;
if (unproven.length > 0) {
  console.log(`# run again, alone: ${unproven.join(" ")}`);
  const again = await runTests(unproven, true);
  const stillUnproven = unprovenFiles(unproven, again);
  for (const [file, tally] of talliesOf(again.output)) tallies.set(file, tally);
  // A file that crashed, or never ran, has no failed test that would be counted.
  endedBadly = stillUnproven.filter((file) => !tallies.get(file)?.failed).length;
  const unsteady = unproven.filter((file) => !stillUnproven.includes(file));
  if (unsteady.length > 0) console.log(`# unsteady, failed once and passed alone: ${unsteady.join(" ")}`);
  runs.push(again);
}

const sum = (of) => [...tallies.values()].reduce((total, tally) => total + tally[of], 0);
const failed = sum("failed") + endedBadly + failedChecks;
const skipped = new Set(runs.flatMap(({ output }) => skippedIn(output)));
if (skipped.size > 0) console.log(`# skipped\n${[...skipped].join("\n")}`);
console.log(`${sum("passed")} passed, ${failed} failed, ${sum("skipped")} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
