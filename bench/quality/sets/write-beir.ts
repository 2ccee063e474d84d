import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** A set of documents, questions and which documents answer which question. */
export interface JudgedSet {
  documents: readonly { id: string; title: string; text: string }[];
  questions: readonly { id: string; text: string }[];
  judgments: readonly { question: string; document: string }[];
}

const jsonl = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Writes a set in BEIR's layout; questions without a judgment are left out. @returns what was written, in a line */
export const writeBeir = async (folder: string, name: string, set: JudgedSet): Promise<string> => {
  const into = join(folder, name);
  await mkdir(join(into, "qrels"), { recursive: true });
  const judged = new Set(set.judgments.map(({ question }) => question));
  const questions = set.questions.filter(({ id }) => judged.has(id));
  await Bun.write(join(into, "corpus.jsonl"), jsonl(set.documents.map(({ id, ...rest }) => ({ _id: id, ...rest }))));
  await Bun.write(join(into, "queries.jsonl"), jsonl(questions.map(({ id, text }) => ({ _id: id, text }))));
  const lines = set.judgments.map(({ question, document }) => `${question}\t${document}\t1\n`);
  await Bun.write(join(into, "qrels/test.tsv"), `query-id\tcorpus-id\tscore\n${lines.join("")}`);
  return `${name}: ${set.documents.length} documents, ${questions.length} questions`;
};
