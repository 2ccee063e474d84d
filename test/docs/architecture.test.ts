import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { codeSpans, pathInRepository, readPage, tableRows } from "./markdown.ts";

const topFolders = /^(src|providers|config|test|tools|bench|docs|examples)\/|^\.dependency-cruiser/;
/** Paths with a place to fill in (`src/*-json.ts`) name no file. */
const isPath = (text: string): boolean => topFolders.test(text) && !/[\s*…<]/.test(text);

for (const name of ["docs/architecture.md", "CONTRIBUTING.md", "README.md"]) {
  test(`every path that ${name} names exists`, async () => {
    const paths = codeSpans(await readPage(name)).filter(isPath);
    expect(paths.filter((path) => !existsSync(pathInRepository(path)))).toEqual([]);
  });
}

test("the answers to a newcomer's questions name exports that their files have", async () => {
  const rows = tableRows(await readPage("docs/architecture.md"), "Where is it?");
  expect(rows.length).toBeGreaterThanOrEqual(12);
  for (const [question = "", path = "", name = ""] of rows) {
    const source = await readPage(path.replaceAll("`", ""));
    const declared = new RegExp(`^export (?:async )?(?:const|function\\*?|class) ${name.replaceAll("`", "")}\\b`, "m");
    expect(declared.test(source), `${question} ${path} exports ${name}`).toBe(true);
  }
});

test("every folder of src and every step of both journeys is on the page", async () => {
  const page = await readPage("docs/architecture.md");
  const folders = (await readdir(pathInRepository("src"), { withFileTypes: true })).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => `\`src/${name}/\``).filter((folder) => !page.includes(folder))).toEqual([]);
  for (const heading of ["A document's journey", "A question's journey"])
    for (const [step = "", files = ""] of tableRows(page, heading)) expect(files, step).toContain("`src/");
});

test("every folder of src has its place among the layers, or imports would not be checked", async () => {
  const layers = await readPage(".dependency-cruiser.cjs");
  const folders = (await readdir(pathInRepository("src"), { withFileTypes: true })).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => `"src/${name}"`).filter((folder) => !layers.includes(folder))).toEqual([]);
});
