import { basename, join } from "node:path";
import { type BeirSet, readBeirSet } from "../../src/evaluation/beir.ts";
import type { Collection, Legs, QualityClient } from "./client.ts";
import { excerptRun, readExcerptSet } from "./excerpts.ts";
import { rankingRun } from "./ranking.ts";
import type { SetResult } from "./report.ts";
import { sentenceRun } from "./sentences.ts";

/** Questions taken from each other set to see whether they are refused. */
const foreignFromSet = 100;

/** A set as it is measured: BEIR's layout, or long documents with excerpts. */
export interface QualitySet {
  name: string;
  documents: readonly { id: string; title: string; text: string }[];
  questions: readonly string[];
  run(collection: Collection, legs: Legs): ReturnType<typeof rankingRun>;
  /** Where answers are known. */
  answered: BeirSet | null;
}

/** @throws Error where the folder is neither */
export const readQualitySet = async (folder: string): Promise<QualitySet> => {
  const name = basename(folder);
  if (await Bun.file(join(folder, "questions.jsonl")).exists()) {
    const set = await readExcerptSet(folder);
    return {
      name,
      documents: set.documents,
      questions: set.questions.map(({ text }) => text),
      run: (collection, legs) => excerptRun(set, collection, legs),
      answered: null,
    };
  }
  const set = await readBeirSet(folder);
  return {
    name,
    documents: set.documents,
    questions: set.queries.map(({ text }) => text),
    run: (collection, legs) => rankingRun(set, collection, legs),
    answered: set.queries.some(({ answers }) => answers.length > 0) ? set : null,
  };
};

/** Ingests one set, asks its questions and those of the others. */
export const measureSet = async (
  client: QualityClient,
  set: QualitySet,
  others: readonly QualitySet[],
): Promise<SetResult> => {
  const collection = await client.ingest(set.name, set.documents);
  const result: SetResult = { name: set.name, runs: {}, foreign: [], sentences: null };
  for (const legs of collection.legs) result.runs[legs] = await set.run(collection, legs);
  for (const { questions } of others) {
    const step = Math.max(1, Math.floor(questions.length / foreignFromSet));
    for (let at = 0; at < questions.length; at += step) {
      result.foreign.push((await collection.search(questions[at] ?? "", 5, "fused")).confidence);
    }
  }
  if (set.answered !== null) result.sentences = await sentenceRun(set.answered, collection);
  return result;
};
