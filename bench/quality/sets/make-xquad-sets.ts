import { basename } from "node:path";
import { type JudgedSet, writeBeir } from "./write-beir.ts";

const usage = `Makes sets in BEIR's layout from XQuAD (CC BY-SA 4.0), for the languages that were not developed against.

  bun bench/quality/sets/make-xquad-sets.ts TARGET xquad.LANGUAGE.json…

A document is a paragraph under the title of its article. TARGET gets a folder xquad-LANGUAGE for each file.`;

const [target, ...files] = process.argv.slice(2);
if (target === undefined || files.length === 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

interface Article {
  title: string;
  paragraphs: { context: string; qas: { id: string; question: string }[] }[];
}

for (const file of files) {
  const { data } = (await Bun.file(file).json()) as { data: Article[] };
  const paragraphs = data.flatMap((article, at) =>
    article.paragraphs.map((paragraph, place) => ({ ...paragraph, id: `${at}-${place}`, title: article.title })),
  );
  const set: JudgedSet = {
    documents: paragraphs.map(({ id, title, context }) => ({ id, title: title.replaceAll("_", " "), text: context })),
    questions: paragraphs.flatMap(({ qas }) => qas.map(({ id, question }) => ({ id, text: question }))),
    judgments: paragraphs.flatMap(({ id, qas }) => qas.map((asked) => ({ question: asked.id, document: id }))),
  };
  const language = basename(file).split(".").at(-2) ?? "";
  process.stdout.write(`${await writeBeir(target, `xquad-${language}`, set)}\n`);
}
