// Reads what `bun test` prints: which file had which results, and which files have to be run again.

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

const header = /^(test\/\S+\.test\.ts):$/;
/** Bun names failed and skipped tests again at the end, under such a line. */
const summary = /^\d+ tests? (?:skipped|todo|failed):$/;
/** Code that fails outside of a test has no name; Bun counts it as an error. */
const outsideFault = /^# Unhandled error between tests/;
const lastLine = /^Ran \d+ tests? across \d+ files?\./m;
const names = { pass: "passed", fail: "failed", skip: "skipped", todo: "skipped" };

/**
 * The results of each file, in the order in which the files were run; a file's path begins with `./`.
 * @param {string} output
 * @returns {Map<string, Tally>}
 */
export const talliesOf = (output) => {
  const tallies = new Map();
  let tally = { passed: 0, failed: 0, skipped: 0 };
  for (const line of output.split("\n")) {
    const file = header.exec(line)?.[1];
    if (file !== undefined) {
      tally = { passed: 0, failed: 0, skipped: 0 };
      tallies.set(`./${file}`, tally);
    } else if (summary.test(line)) break;
    else if (outsideFault.test(line)) tally.failed += 1;
    else {
      const result = /^\((pass|fail|skip|todo)\) /.exec(line)?.[1];
      if (result !== undefined) tally[names[result]] += 1;
    }
  }
  return tallies;
};

/** The names of skipped tests. @param {string} output @returns {string[]} */
export const skippedIn = (output) => [...output.matchAll(/^\((?:skip|todo)\) .*$/gm)].map(([line]) => line);

/**
 * The files that a run did not prove: those with a failure and, where it crashed, the one that was at work and those
 * that it did not come to. A run that ended badly for another reason proves none.
 * @param {string[]} files what was run
 * @param {{ status: number, output: string }} run
 * @returns {string[]}
 */
export const unprovenFiles = (files, { status, output }) => {
  const tallies = talliesOf(output);
  const isWhole = lastLine.test(output);
  if (status === 0 && isWhole && tallies.size > 0) return [];
  const atWork = isWhole ? undefined : [...tallies.keys()].at(-1);
  const failed = [...tallies].filter(([file, { failed }]) => failed > 0 || file === atWork).map(([file]) => file);
  if (isWhole && failed.length > 0) return failed;
  return isWhole ? files : [...failed, ...files.filter((file) => !tallies.has(file))];
};
