import { expect, test } from "bun:test";
import { declaredEndpoints } from "../../src/program/app.ts";
import { anchors, readPage } from "./markdown.ts";

const page = await readPage("docs/api.md");

test("docs/api.md says nothing twice", () => {
  const length = 10;
  const lines = page.split("\n");
  const seen = new Map<string, number>();
  const repeated: number[] = [];
  for (let at = 0; at + length <= lines.length; at++) {
    const run = lines.slice(at, at + length).join("\n");
    if (seen.has(run)) repeated.push(at + 1);
    seen.set(run, at + 1);
  }
  expect(repeated).toEqual([]);
});

test("every record that an operation answers with has its section, with fields", () => {
  const sections = anchors(page);
  for (const { method, path, responses } of declaredEndpoints()) {
    for (const answer of Object.values(responses)) {
      if ("mediaType" in answer) continue;
      const name: string | undefined = answer.type === "array" ? answer.items.$id : answer.$id;
      if (name === undefined) continue;
      expect(sections.has(name.toLowerCase()), `${method} ${path}: ${name}`).toBe(true);
      const section = page.split(`\n### ${name}\n`)[1]?.split("\n### ")[0] ?? "";
      expect(section, name).toContain("| Fields |");
    }
  }
});

test("what an operation shares with an earlier one is left to that one", () => {
  expect(page).toContain("Body: as for [Ask a question](#ask-a-question), without `prompt` and `answer`.");
  expect(page).toContain("`limit`, `skip` and `sortOrder` as for [List documents](#list-documents), and:");
  expect(page.match(/How many records to return/g)).toHaveLength(1);
});
