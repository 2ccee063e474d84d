import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { pathInRepository, readPage, tableRows } from "./markdown.ts";

test("each promise of the threat model names a test that there is", async () => {
  const rows = tableRows(await readPage("docs/threat-model.md"), "What is promised");
  expect(rows.length).toBeGreaterThan(30);
  const missing: string[] = [];
  for (const [promise = "", , named = ""] of rows) {
    const [, path = "", title = ""] = /^`(test\/[^`]+\.test\.ts)`: (.+)$/.exec(named) ?? [];
    const source = existsSync(pathInRepository(path)) ? await readPage(path) : "";
    // Of a title with a variable before it, the rest stands in the source.
    if (title === "" || !source.includes(title)) missing.push(`${promise}: ${named}`);
  }
  expect(missing).toEqual([]);
});

test("those who might do harm are the ones that promises are made against", async () => {
  const page = await readPage("docs/threat-model.md");
  const known = tableRows(page, "Who might do harm").map(([who = ""]) =>
    who.replace(/^(?:an?|somebody with the) /, ""),
  );
  const against = tableRows(page, "What is promised").flatMap(([, who = ""]) => who.split(", "));
  expect([...new Set(against)].filter((who) => who !== "–" && !known.includes(who))).toEqual([]);
});
