import { expect, test } from "bun:test";
import { skippedIn, talliesOf, unprovenFiles } from "../../tools/test-output.mjs";

const ended = "\n 2 pass\n 1 fail\nRan 3 tests across 2 files. [68.00ms]\n";
const files = ["./test/a.test.ts", "./test/b.test.ts", "./test/c.test.ts"];
const good = "\ntest/a.test.ts:\n(pass) holds [0.04ms]\n(skip) no tesseract\n(todo) later\n";
const bad = "\ntest/b.test.ts:\n(pass) holds\nerror: expect(received)\n(fail) does not hold [0.29ms]\n";
const summary = "\n1 tests failed:\n(fail) does not hold [0.29ms]\n";

test("results are counted for each file, and not again where Bun repeats them", () => {
  const tallies = talliesOf(`bun test v1\n${good}${bad}${summary}${ended}`);
  expect(Object.fromEntries(tallies)).toEqual({
    "./test/a.test.ts": { passed: 1, failed: 0, skipped: 2 },
    "./test/b.test.ts": { passed: 1, failed: 1, skipped: 0 },
  });
  expect(skippedIn(good)).toEqual(["(skip) no tesseract", "(todo) later"]);
});

test("a run in which all passed leaves nothing to prove", () => {
  expect(unprovenFiles(files, { status: 0, output: `${good}${ended}` })).toEqual([]);
});

test("a file with a failed test, or a fault outside of its tests, is not proven", () => {
  const outside = "\ntest/c.test.ts:\n\n# Unhandled error between tests\nerror: Cannot find module\n";
  const run = { status: 1, output: `${good}${bad}${outside}${ended}` };
  expect(unprovenFiles(files, run)).toEqual(["./test/b.test.ts", "./test/c.test.ts"]);
});

test("a run that crashed proves neither the file at work nor those that it did not come to", () => {
  const crashed = { status: 137, output: `${good}\ntest/b.test.ts:\n(pass) holds\n` };
  expect(unprovenFiles(files, crashed)).toEqual(["./test/b.test.ts", "./test/c.test.ts"]);
  expect(unprovenFiles(files, { status: 1, output: "bun: not found" })).toEqual(files);
  expect(unprovenFiles(files, { status: 0, output: "" })).toEqual(files);
});

test("a run that ended badly though nothing failed proves nothing", () => {
  expect(unprovenFiles(files, { status: 1, output: `${good}${ended}` })).toEqual(files);
});
