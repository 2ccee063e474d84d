import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { readJsonLines } from "./beir.ts";
import type { Found, SourceDocument } from "./collection.ts";
import { mean } from "./estimates.ts";
import type { RankingScores } from "./metrics.ts";

interface ExcerptQuestion {
  id: string;
  text: string;
  /** Id of the document with its excerpts. */
  document: string;
  /** Ranges of that document's text, end exclusive. */
  excerpts: { start: number; end: number }[];
}

/** Long documents, and questions with the excerpts that answer them. */
interface ExcerptSet {
  documents: SourceDocument[];
  questions: ExcerptQuestion[];
}

/**
 * Reads `questions.jsonl` (`question`, `corpus`, `references` with `start_index` and `end_index`) and the documents it
 * names, `corpora/<corpus>.md`.
 * @throws Error that names the file and line of a fault
 */
export const readExcerptSet = async (folder: string): Promise<ExcerptSet> => {
  const files = (await readdir(join(folder, "corpora"))).sort();
  const documents = await Promise.all(
    files.map(async (file) => {
      const id = basename(file, ".md");
      return { id, title: id, text: await Bun.file(join(folder, "corpora", file)).text() };
    }),
  );
  const questions = (await readJsonLines(join(folder, "questions.jsonl"))).map(({ row, where }, index) => {
    const { question, corpus, references } = row;
    if (typeof question !== "string" || typeof corpus !== "string" || !Array.isArray(references))
      throw new Error(`${where}: not a question with corpus and references`);
    const excerpts = references.map((reference: unknown) => excerptOf(reference, where));
    return { id: String(index + 1), text: question, document: corpus, excerpts };
  });
  return { documents, questions };
};

const excerptOf = (reference: unknown, where: string): { start: number; end: number } => {
  const { start_index: start, end_index: end } = Object(reference) as { start_index?: unknown; end_index?: unknown };
  if (typeof start !== "number" || typeof end !== "number" || end <= start)
    throw new Error(`${where}: a reference without start_index and end_index`);
  return { start, end };
};

/** An excerpt is found if one snippet contains more than half of it. */
export const excerptScores = ({ document, excerpts }: ExcerptQuestion, { pieces }: Found): RankingScores => {
  const ranks = excerpts.map(({ start, end }) =>
    pieces.findIndex(
      (piece) =>
        piece.document === document && Math.min(piece.end, end) - Math.max(piece.start, start) > (end - start) / 2,
    ),
  );
  const within = (k: number): number => mean(ranks.map((rank) => (rank >= 0 && rank < k ? 1 : 0)));
  return { ndcg10: gainOfPieces(ranks), recall5: within(5), recall10: within(10), recall20: within(20) };
};

/** nDCG@10 of the snippets: each that contains an excerpt is relevant. */
const gainOfPieces = (ranks: readonly number[]): number => {
  const relevant = [...new Set(ranks.filter((rank) => rank >= 0 && rank < 10))];
  const missed = ranks.filter((rank) => rank < 0 || rank >= 10).length;
  const discount = (rank: number): number => 1 / Math.log2(rank + 2);
  const gain = relevant.reduce((sum, rank) => sum + discount(rank), 0);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(10, relevant.length + missed); rank++) ideal += discount(rank);
  return ideal === 0 ? 0 : gain / ideal;
};
