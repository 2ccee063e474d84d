import { mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ParsedFile } from "../../../providers/contract.ts";
import { hashText } from "../../../src/ingest/index/analyzed-text.ts";
import { parseFile } from "../../../src/parse/parse-file.ts";
import type { LongQuestion } from "./contract.ts";

export interface ParsedDocument extends Pick<ParsedFile, "text" | "pages"> {
  file: string;
}

export interface LongSet {
  name: string;
  documents: ParsedDocument[];
  questions: LongQuestion[];
}

const limits = { maxUnpackedBytes: 2 ** 30, maxPages: 5_000, maxTextLength: 50_000_000, ocr: null };

/** Reads a folder with `files/` and `questions.jsonl`, or with `labels.json` instead of questions. Parsed texts are kept in `.parsed`. */
export const readLongSet = async (folder: string): Promise<LongSet> => {
  const files = join(folder, "files");
  const kept = join(folder, ".parsed");
  await mkdir(kept, { recursive: true });
  const documents: ParsedDocument[] = [];
  for (const file of (await readdir(files)).sort()) {
    const bytes = await Bun.file(join(files, file)).bytes();
    const cached = join(kept, `${hashText(`${file} ${Bun.hash(bytes)}`).slice(0, 24)}.json`);
    if (!(await Bun.file(cached).exists())) {
      const { text, pages } = await parseFile({ bytes, name: file, mimeType: "application/pdf" }, limits);
      await Bun.write(cached, JSON.stringify({ file, text, pages }));
    }
    documents.push(await Bun.file(cached).json());
  }
  const stated = Bun.file(join(folder, "questions.jsonl"));
  const questions = (await stated.exists())
    ? linesOf(await stated.text()).map((line): LongQuestion => JSON.parse(line))
    : questionsFromHeadings(documents, await Bun.file(join(folder, "labels.json")).json());
  return { name: basename(folder), documents, questions };
};

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

const questionsOfDocument = 6;
const heading = /^#{2,5} (?:[\dA-Z]+(?:\.\d+)*\.? +)?(\p{L}[^\n]{7,70})$/gmu;

/** Asks for headings of a document by a loose name of it: the page is where the heading stands. */
const questionsFromHeadings = (documents: readonly ParsedDocument[], labels: Record<string, string>): LongQuestion[] =>
  documents.flatMap(({ file, text, pages }) => {
    const label = labels[file];
    if (label === undefined) return [];
    const found = new Map<string, number[]>();
    for (const match of text.matchAll(heading)) {
      const page = pages.findLast(({ start }) => start <= match.index)?.page;
      const title = match[1]?.replace(/[.\s]*\d*$/, "").trim() ?? "";
      if (page === undefined || page <= 6 || title.split(" ").length < 2) continue;
      found.set(title, [...(found.get(title) ?? []), page]);
    }
    const titles = [...found.keys()];
    const step = Math.max(1, titles.length / questionsOfDocument);
    return Array.from({ length: Math.min(questionsOfDocument, titles.length) }, (_, index): LongQuestion => {
      const title = titles[Math.floor(index * step)] ?? "";
      const text =
        index % 2 === 0 ? `What does ${label} say about ${title.toLowerCase()}?` : `${title.toLowerCase()} in ${label}`;
      return { id: `${file}-${index}`, kind: "real", text, file, pages: found.get(title) ?? [] };
    });
  });
