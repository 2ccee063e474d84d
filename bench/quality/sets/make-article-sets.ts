import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readExcerptSet } from "../../../src/evaluation/sets.ts";

const usage = `Makes sets in BEIR's layout from long texts that hold many articles, for the refusal of what is absent.

  bun bench/quality/sets/make-article-sets.ts EXCERPTS TARGET

EXCERPTS is the set with questions.jsonl and corpora/. Its encyclopedia, papers, chats and financial reports are cut
into passages, each with the title of its article; TARGET gets a folder for each of the four. A question belongs to the
passages with its excerpts.`;

const [excerpts, target] = process.argv.slice(2);
if (excerpts === undefined || target === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

/** Text with tables is followed by short questions about it, with or without a number as their answer. */
const aboutReport = /^[^\n]{1,250}\?(?: [^\n?]{1,20})?$/;

/** A report begins with the first paragraph after questions about the one before. */
const reportStarts = (text: string): number[] => {
  const starts: number[] = [];
  let isAfterQuestion = true;
  for (const { 0: paragraph, index } of text.matchAll(/[^\n]+(?:\n[^\n]+)*/g)) {
    const isQuestion = aboutReport.test(paragraph);
    if (isAfterQuestion && !isQuestion) starts.push(index);
    isAfterQuestion = isQuestion;
  }
  return starts;
};

const startsOf =
  (article: RegExp) =>
  (text: string): number[] =>
    [...text.matchAll(article)].map(({ index }) => index);

interface Kind {
  name: string;
  corpus: string;
  starts(text: string): number[];
  /** Articles are called by this word and a number; null: by their first line. */
  called: string | null;
  /** Articles that are left out. */
  without?: RegExp;
}

/** Where articles begin, and what they are called. */
const kinds: readonly Kind[] = [
  // A semicolon is in the legends of tables, whose lines look like titles.
  { name: "wiki-en", corpus: "wikitexts", starts: startsOf(/^ = [^=;\n]+ = $/gm), called: null },
  // Those without a number of their own are summaries of other papers here, and answer their questions.
  { name: "pubmed-en", corpus: "pubmed", starts: startsOf(/^PMID: \d+/gm), called: "paper", without: /^PMID: 0\n/ },
  { name: "chats-en", corpus: "chatlogs", starts: startsOf(/^\[\{'content'/gm), called: "chat" },
  { name: "finance-en", corpus: "finance", starts: reportStarts, called: "report" },
];
/** A passage ends with the first line after this, or, if the line is long, with a sentence. */
const wantedCharacters = 700;
const maxCharacters = 2_500;
const sentenceAfter = 1_200;

interface Passage {
  start: number;
  end: number;
  title: string;
}

const passagesOf = (text: string, { starts: startsIn, called, without }: Kind): Passage[] => {
  const starts = startsIn(text);
  return starts.flatMap((first, at) => {
    const last = starts[at + 1] ?? text.length;
    if (without?.test(text.slice(first, last)) === true) return [];
    const [line = ""] = text.slice(first, last).trim().split("\n", 1);
    const title = called === null ? line.replace(/[ =]+/g, " ").trim() : `${called} ${at}`;
    const passages: Passage[] = [];
    for (let start = first; start < last; ) {
      const lineEnd = text.indexOf("\n", start + wantedCharacters);
      let end = lineEnd < 0 || lineEnd >= last ? last : lineEnd + 1;
      const sentenceEnd = text.indexOf(". ", start + sentenceAfter);
      if (end - start > maxCharacters && sentenceEnd > 0 && sentenceEnd < end) end = sentenceEnd + 2;
      passages.push({ start, end, title });
      start = end;
    }
    return passages;
  });
};

const jsonl = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const { documents, questions } = await readExcerptSet(excerpts);
for (const kind of kinds) {
  const text = documents.find(({ id }) => id === kind.corpus)?.text ?? "";
  const passages = passagesOf(text, kind);
  const asked = questions
    .filter(({ document }) => document === kind.corpus)
    .map((question) => ({
      ...question,
      passages: passages.flatMap(({ start, end }, at) =>
        question.excerpts.some((excerpt) => Math.min(end, excerpt.end) > Math.max(start, excerpt.start)) ? [at] : [],
      ),
    }))
    .filter((question) => question.passages.length > 0);
  const into = join(target, kind.name);
  await mkdir(join(into, "qrels"), { recursive: true });
  await Bun.write(
    join(into, "corpus.jsonl"),
    jsonl(passages.map(({ start, end, title }, at) => ({ _id: String(at), title, text: text.slice(start, end) }))),
  );
  await Bun.write(join(into, "queries.jsonl"), jsonl(asked.map(({ id, text }) => ({ _id: id, text }))));
  const judgments = asked.flatMap(({ id, passages: own }) => own.map((at) => `${id}\t${at}\t1\n`)).join("");
  await Bun.write(join(into, "qrels/test.tsv"), `query-id\tcorpus-id\tscore\n${judgments}`);
  process.stdout.write(`${kind.name}: ${passages.length} passages, ${asked.length} questions\n`);
}
