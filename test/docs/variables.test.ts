import { expect, test } from "bun:test";
import { loadConfig } from "../../config/load.ts";
import { pages, readPage } from "./markdown.ts";

test("every variable of the pages that begins with CARREL_ is one that Carrel starts with", async () => {
  const names = new Set<string>();
  for (const page of await pages())
    for (const [name] of (await readPage(page)).matchAll(/\bCARREL_[A-Z0-9_]*[A-Z0-9]\b/g)) names.add(name);
  expect(names.size).toBeGreaterThan(100);
  const refused: string[] = [];
  for (const name of names) {
    const fault = await loadConfig({ env: { [name]: "" }, cwd: "/" }).then(
      () => "",
      (error: Error) => error.message,
    );
    if (fault.includes("is not a setting")) refused.push(name);
  }
  expect(refused).toEqual([]);
});
