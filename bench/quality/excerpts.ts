import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { readJsonLines } from "../../src/evaluation/beir.ts";
import { mean } from "../../src/evaluation/metrics.ts";
import type { Collection, Legs } from "./client.ts";
import type { RankingRun } from "./ranking.ts";

/** Long documents, and questions with the excerpts of them that answer. */
export interface ExcerptSet {
  documents: { id: string; title: string; text: string }[];
  questions: { text: string; corpus: string; excerpts: { start: number; end: number }[] }[];
}

export const readExcerptSet = async (folder: string): Promise<ExcerptSet> => {
  const files = (await readdir(join(folder, "corpora"))).sort();
  const documents = await Promise.all(
    files.map(async (file) => {
      const id = basename(file, ".md");
      return { id, title: id, text: await Bun.file(join(folder, "corpora", file)).text() };
    }),
  );
  const questions = (await readJsonLines(join(folder, "questions.jsonl"))).map(({ row, where }) => {
    const { question, corpus, references } = row;
    if (typeof question !== "string" || typeof corpus !== "string" || !Array.isArray(references)) {
      throw new Error(`${where}: not a question with corpus and references`);
    }
    const excerpts = references.map((reference: { start_index: number; end_index: number }) => ({
      start: reference.start_index,
      end: reference.end_index,
    }));
    return { text: question, corpus, excerpts };
  });
  return { documents, questions };
};

/** An excerpt is found where one snippet holds more than half of it. */
export const excerptRun = async (set: ExcerptSet, collection: Collection, legs: Legs): Promise<RankingRun> => {
  const run: RankingRun = { ndcg10: [], recall5: [], recall10: [], recall20: [], confidence: [] };
  for (const question of set.questions) {
    const { pieces, confidence } = await collection.search(question.text, 20, legs);
    const ranks = question.excerpts.map(({ start, end }) =>
      pieces.findIndex(
        (piece) =>
          piece.document === question.corpus &&
          Math.min(piece.end, end) - Math.max(piece.start, start) > (end - start) / 2,
      ),
    );
    const within = (k: number): number => mean(ranks.map((rank) => (rank >= 0 && rank < k ? 1 : 0)));
    run.recall5.push(within(5));
    run.recall10.push(within(10));
    run.recall20.push(within(20));
    run.ndcg10.push(gainOfPieces(ranks));
    run.confidence.push(confidence);
  }
  return run;
};

/** nDCG@10 with snippets as what is ranked: each that holds an excerpt is relevant. */
const gainOfPieces = (ranks: readonly number[]): number => {
  const relevant = [...new Set(ranks.filter((rank) => rank >= 0 && rank < 10))];
  const missed = ranks.filter((rank) => rank < 0 || rank >= 10).length;
  const discount = (rank: number): number => 1 / Math.log2(rank + 2);
  const gain = relevant.reduce((sum, rank) => sum + discount(rank), 0);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(10, relevant.length + missed); rank++) ideal += discount(rank);
  return ideal === 0 ? 0 : gain / ideal;
};
