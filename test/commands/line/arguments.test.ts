import { expect, test } from "bun:test";
import { isServe } from "../../../src/commands/line/arguments.ts";

test.each([
  [[], true],
  [["serve"], true],
  [["--config", "serve.yaml"], true],
  [["--config", "key", "serve"], true],
  [["serve", "--config=x"], true],
  [["--help"], false],
  [["serve", "--help"], false],
  [["-V"], false],
  [["help"], false],
  [["key", "create", "--name", "serve"], false],
  [["--config", "serve", "doctor"], false],
  [["sevre"], false],
])("%j starts the server: %p", (argv, expected) => {
  expect(isServe(argv)).toBe(expected);
});
