import { expect, test } from "bun:test";
import { parse } from "yaml";
import { lineOfThreshold, withThreshold } from "../../../src/commands/eval/threshold-setting.ts";

test("where the threshold stands, its number alone changes", () => {
  const text = "# Ours\r\nserver: { port: 1 } # odd\r\nanswers:\r\n  refusalThreshold:   0.5   # half\r\n";
  expect(lineOfThreshold(text)).toBe(4);
  expect(withThreshold(text, 0.37)).toBe(text.replace("0.5", "0.37"));
});

test("where it does not, it is added, and comments stay", () => {
  for (const text of [
    "",
    "# Only a comment\n",
    "server:\n  port: 1 # one",
    "answers:\n# nothing yet\nlog: { level: warn }\n",
    "answers: {}\n",
    "# Theirs\nanswers:\n  # ours\n  other: 1\n",
  ]) {
    const changed = withThreshold(text, 0.42);
    expect(parse(changed).answers.refusalThreshold).toBe(0.42);
    for (const comment of text.match(/# \w+/g) ?? []) expect(changed).toContain(comment);
    expect(lineOfThreshold(text)).toBeNull();
    expect(lineOfThreshold(changed)).toBeGreaterThan(0);
  }
});
