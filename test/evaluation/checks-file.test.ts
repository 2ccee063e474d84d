import { expect, test } from "bun:test";
import { join } from "node:path";
import { readChecks } from "../../src/evaluation/checks-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = await temporaryFolder("checks");

/** What the configuration would replace by a variable of the environment. */
const variable = "$".concat("{HOME}");

const read = async (text: string) => {
  const path = join(folder, "checks.yaml");
  await Bun.write(path, text);
  return readChecks(path);
};

const faultsOf = async (text: string): Promise<string> =>
  read(text).then(
    () => "none",
    (error: unknown) => String(error),
  );

test("checks are read with their lines, single texts as lists, dollar signs as they stand", async () => {
  const checks = await read(
    [
      "checks:",
      `  - question: "What is ${variable}?"`,
      "    expect: { contains: home, documents: [a.md, b.md] }",
      "  - question: And in 2024?",
      "    name: year",
      "    partition: Manuals",
      "    metadata: { year: { $gte: 2024 }, source: handbook }",
      "    snippets: 9",
      "    expect:",
      "      refusal: true",
    ].join("\n"),
  );
  const nothing = { document: null, metadata: null, name: null, partition: null, snippets: null };
  expect(checks).toEqual([
    {
      ...nothing,
      question: `What is ${variable}?`,
      expect: { documents: ["a.md", "b.md"], contains: ["home"], answer: [], refusal: null },
      where: "checks.yaml:2",
    },
    {
      ...nothing,
      question: "And in 2024?",
      name: "year",
      partition: "Manuals",
      metadata: { year: { $gte: 2024 }, source: "handbook" },
      snippets: 9,
      expect: { documents: [], contains: [], answer: [], refusal: true },
      where: "checks.yaml:4",
    },
  ]);
});

test("every fault is named at once, with its line", async () => {
  const faults = await faultsOf(
    [
      "checks:",
      '  - question: " "',
      "    expect: { refusal: true }",
      "  - qestion: Why?",
      "    expect: { contains: [x] }",
      "  - question: A",
      "    expect: { refusal: true, documents: [a] }",
      "  - question: B",
      "    snippets: 99",
      "    metadata: { a: { $near: 1 } }",
      "    expect: { contain: x }",
      "  - question: C",
      "more: 1",
    ].join("\n"),
  );
  expect(faults.split("\n").slice(1)).toEqual([
    "  checks.yaml:2: checks[0].question must not be empty",
    "  checks.yaml:4: checks[1].qestion is not a key of a check; did you mean checks[1].question?",
    "  checks.yaml:4: checks[1].question is missing: a text",
    "  checks.yaml:6: checks[2].expect.refusal cannot be true where documents or an answer are expected",
    expect.stringMatching(/^ {2}checks\.yaml:8: checks\[3\]\.metadata is no filter: .*\$near/),
    "  checks.yaml:9: checks[3].snippets must be a whole number from 1 to 50, or null",
    "  checks.yaml:11: checks[3].expect.contain is not a key of a check; did you mean checks[3].expect.contains?",
    "  checks.yaml:12: checks[4].expect expects nothing: it needs documents, contains, answer or refusal",
    "  checks.yaml:13: more is not `checks`, the only key there is",
  ]);
});

test("a file without checks, of another kind, or that is not there, is refused", async () => {
  expect(await faultsOf("")).toContain("has no checks");
  expect(await faultsOf("checks: []\n")).toContain("checks.yaml:1: has no checks");
  expect(await faultsOf("- question: A\n")).toContain("holds no `key: value` at all");
  expect(await faultsOf("checks:\n  - A\n")).toContain("checks[0] must be a section");
  expect(await faultsOf("checks: [\n")).toContain("is not YAML");
  await expect(readChecks(join(folder, "none.yaml"))).rejects.toThrow("none.yaml: does not exist");
});
