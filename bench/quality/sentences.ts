import type { BeirSet } from "../../src/evaluation/beir.ts";
import type { Collection } from "./client.ts";

export interface SentenceRun {
  /** Of each question with known answers: 1 where the first quoted sentence holds one of them. */
  first: number[];
  /** 1 where one of the first three does. */
  amongThree: number[];
}

/** Asks for quoted answers and looks whether they hold the known ones. Null where this client cannot tell. */
export const sentenceRun = async (set: BeirSet, collection: Collection): Promise<SentenceRun | null> => {
  const run: SentenceRun = { first: [], amongThree: [] };
  for (const { text, answers } of set.queries) {
    if (answers.length === 0) continue;
    const quoted = await collection.quote(text);
    if (quoted === null) return null;
    const holds = (sentence: string): boolean => answers.some((answer) => plain(sentence).includes(plain(answer)));
    run.first.push(quoted.slice(0, 1).some(holds) ? 1 : 0);
    run.amongThree.push(quoted.slice(0, 3).some(holds) ? 1 : 0);
  }
  return run;
};

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
