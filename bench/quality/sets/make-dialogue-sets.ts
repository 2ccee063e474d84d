import { basename, join, resolve } from "node:path";
import type { Block } from "./blocks.ts";
import { makeQuestion, type Question, takeLastSentence } from "./question.ts";
import { writeBeir } from "./write-beir.ts";

const usage = `Makes sets with more than one question about a page, for follow-ups, from sets with one (make-help-sets.ts, …).

  bun bench/quality/sets/make-dialogue-sets.ts TARGET SET…

A page with several sections becomes a document for each, under the page's heading as their title, and is asked for by that
heading and what makeQuestion takes out of the section. Of any other page that is asked for, a sentence of its last paragraph
is taken out as a second question. TARGET gets a folder for each set.`;

const [target, ...folders] = process.argv.slice(2);
if (target === undefined || folders.length === 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

/** Characters of a section, and sections of a page, at least. */
const minSection = 150;
const minSections = 2;
/** Sections of a page that become documents. */
const maxSections = 6;

interface Page {
  _id: string;
  title: string;
  text: string;
}
interface Asked {
  _id: string;
  text: string;
  metadata?: { kind?: Question["kind"] };
}

const rowsOf = async <Row>(file: string): Promise<Row[]> =>
  (await Bun.file(file).text())
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);

const blocksOf = (text: string): Block[] =>
  text.split("\n\n").map((part) => {
    const level = /^#{1,6}(?= )/.exec(part)?.[0].length ?? 0;
    return { level, text: part.slice(level).trim() };
  });
const textOf = (blocks: readonly Block[]): string =>
  blocks.map(({ level, text }) => `${"#".repeat(level)} ${text}`.trim()).join("\n\n");

/** The parts of a page that begin with a heading of the second level and say something. */
const sectionsOf = (blocks: readonly Block[]): Block[][] => {
  const sections: Block[][] = [];
  for (const block of blocks) {
    if (block.level === 2) sections.push([{ level: 1, text: block.text }]);
    else sections.at(-1)?.push(block);
  }
  return sections.filter((section) => textOf(section.slice(1)).length >= minSection).slice(0, maxSections);
};

for (const folder of folders) {
  const pages = await rowsOf<Page>(join(folder, "corpus.jsonl"));
  const asked = new Map((await rowsOf<Asked>(join(folder, "queries.jsonl"))).map((row) => [row._id, row]));
  const judged = (await Bun.file(join(folder, "qrels/test.tsv")).text()).split("\n").slice(1);
  const questionOf = new Map(judged.map((line) => [line.split("\t")[1], asked.get(line.split("\t")[0] ?? "")]));
  const documents: { id: string; title: string; text: string }[] = [];
  const questions: { id: string; text: string }[] = [];
  const judgments: { question: string; document: string }[] = [];
  const unusable = new Set<string>();
  const ask = (document: string, text: string): void => {
    const id = `q${questions.length}`;
    questions.push({ id, text });
    judgments.push({ question: id, document });
  };
  for (const { _id, title, text } of pages) {
    const blocks = blocksOf(text);
    const first = questionOf.get(_id);
    const heading =
      first?.metadata?.kind === "heading" ? first.text : title || blocks.find(({ level }) => level === 1)?.text;
    const sections = heading === undefined ? [] : sectionsOf(blocks);
    if (heading !== undefined && sections.length >= minSections) {
      for (const [at, section] of sections.entries()) {
        const id = `${_id}-${at}`;
        const question = makeQuestion(section, Bun.hash.crc32(`kind of ${id}`), unusable);
        documents.push({ id, title: heading, text: textOf(question?.rest ?? section) });
        if (question !== null) ask(id, `${heading}: ${question.text}`);
      }
      continue;
    }
    const second = first === undefined ? null : takeLastSentence(blocks);
    documents.push({ id: _id, title, text: textOf(second?.rest ?? blocks) });
    if (first === undefined) continue;
    ask(_id, first.text);
    if (second !== null) ask(_id, second.text);
  }
  process.stdout.write(`${await writeBeir(target, basename(resolve(folder)), { documents, questions, judgments })}\n`);
}
