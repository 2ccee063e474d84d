import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Block } from "./blocks.ts";
import { makeQuestion, type Question } from "./question.ts";

/** Pages of a set, at most, and its questions. */
export const maxPages = 500;
const maxQuestions = 240;
/** Pages beside those of the set, whose questions it cannot answer: a quarter where there are few pages. */
const maxAbsent = 240;

/** Headings of more than one page, folded: no question tells which is meant. */
const repeatedHeadings = (pages: readonly (readonly Block[])[]): Set<string> => {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const blocks of pages) {
    const own = new Set(blocks.filter(({ level }) => level > 0).map(({ text }) => text.toLowerCase()));
    for (const heading of own) (seen.has(heading) ? repeated : seen).add(heading);
  }
  return repeated;
};

const jsonl = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/**
 * Writes a set in BEIR's layout: the first pages are its corpus, and every question is about one of them; those of the
 * pages beyond go to `absent.jsonl`.
 * @param pages name and blocks of each, in an order that has nothing to do with their subject
 */
export const writeSet = async (
  target: string,
  name: string,
  pages: readonly (readonly [string, readonly Block[]])[],
): Promise<string> => {
  const inCorpus = Math.min(maxPages, Math.ceil(0.75 * pages.length));
  const corpus: { _id: string; title: string; text: string }[] = [];
  const questions: (Question & { id: string })[] = [];
  const absent: { _id: string; text: string }[] = [];
  const unusable = repeatedHeadings(pages.map(([, blocks]) => blocks));
  for (const [path, blocks] of pages) {
    const id = Bun.hash.crc32(path).toString(36);
    const question = makeQuestion(blocks, Bun.hash.crc32(`kind of ${path}`), unusable);
    if (corpus.length >= inCorpus) {
      if (question !== null && absent.length < maxAbsent) absent.push({ _id: `absent-${id}`, text: question.text });
      continue;
    }
    const isAsked = question !== null && questions.length < maxQuestions;
    if (isAsked) questions.push({ ...question, id });
    const text = (isAsked ? question.rest : blocks).map(({ level, text }) => `${"#".repeat(level)} ${text}`.trim());
    corpus.push({ _id: id, title: "", text: text.join("\n\n") });
  }
  const into = join(target, name);
  await mkdir(join(into, "qrels"), { recursive: true });
  await Bun.write(join(into, "corpus.jsonl"), jsonl(corpus));
  await Bun.write(
    join(into, "queries.jsonl"),
    jsonl(questions.map(({ id, text, kind }) => ({ _id: `q-${id}`, text, metadata: { kind } }))),
  );
  const judgments = questions.map(({ id }) => `q-${id}\t${id}\t1\n`).join("");
  await Bun.write(join(into, "qrels/test.tsv"), `query-id\tcorpus-id\tscore\n${judgments}`);
  await Bun.write(join(into, "absent.jsonl"), jsonl(absent));
  return `${name}: ${corpus.length} pages, ${questions.length} questions, ${absent.length} about other pages`;
};
