import { basename } from "node:path";
import { type JudgedSet, writeBeir } from "./write-beir.ts";

const usage = `Makes sets in BEIR's layout from questions over paragraphs in SQuAD's form.

  bun bench/quality/sets/make-squad-sets.ts TARGET SOURCE.LANGUAGE.json…

Such are XQuAD (xquad.el.json and others, CC BY-SA 4.0) and collections of people's questions in one language: ARCD (Arabic),
CMRC 2018 (Chinese), JaQuAD (Japanese), KorQuAD, PersianQA, PIAF (French), TQuAD (Turkish). A document is a paragraph under the
title of its article; questions without an answer are left out. TARGET gets a folder SOURCE-LANGUAGE for each file.`;

const [target, ...files] = process.argv.slice(2);
if (target === undefined || files.length === 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

interface Article {
  title?: string;
  paragraphs: { context: string; qas: { id: string | number; question: string; answers?: unknown[] }[] }[];
}

for (const file of files) {
  const { data } = (await Bun.file(file).json()) as { data: Article[] };
  const paragraphs = data.flatMap(({ title = "", paragraphs: own }, at) =>
    own.map(({ context, qas }, place) => ({
      id: `${at}-${place}`,
      title: title.replaceAll("_", " "),
      text: context,
      asked: qas
        .filter(({ answers }) => answers?.length !== 0)
        .map(({ id, question }) => ({ id: String(id), text: question })),
    })),
  );
  const set: JudgedSet = {
    documents: paragraphs.map(({ id, title, text }) => ({ id, title, text })),
    questions: paragraphs.flatMap(({ asked }) => asked),
    judgments: paragraphs.flatMap(({ id, asked }) =>
      asked.map((question) => ({ question: question.id, document: id })),
    ),
  };
  const name = basename(file, ".json").replaceAll(".", "-");
  process.stdout.write(`${await writeBeir(target, name, set)}\n`);
}
