/**
 * Makes long PDFs that differ by company and year, model and version, or year of a law, with questions that name them
 * loosely:
 *
 *     bun bench/quality/long-documents/make.ts FOLDER
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { lawTexts } from "./laws.ts";
import { manuals } from "./manuals.ts";
import { annualReports } from "./reports.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: bun bench/quality/long-documents/make.ts FOLDER");

for (const [name, made] of Object.entries({ reports: annualReports(), manuals: manuals(), laws: lawTexts() })) {
  const files = join(folder, name, "files");
  await mkdir(files, { recursive: true });
  for (const { file, pdf } of made.documents) await Bun.write(join(files, file), pdf);
  await Bun.write(
    join(folder, name, "questions.jsonl"),
    made.questions.map((question) => `${JSON.stringify(question)}\n`).join(""),
  );
  const pages = made.documents.reduce((sum, document) => sum + document.pages, 0);
  process.stdout.write(
    `${name}: ${made.documents.length} documents, ${pages} pages, ${made.questions.length} questions\n`,
  );
}
