import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { documentScores, type RankingScores, readBeirSet, readJsonLines } from "./beir.ts";
import type { Found, SourceDocument } from "./collection.ts";
import { mean } from "./estimates.ts";

export interface SetQuestion {
  id: string;
  text: string;
  /** Texts that answer it; empty if unknown. */
  answers: string[];
  score(found: Found): RankingScores;
}

/** A set to measure, of BEIR's layout or of long documents with excerpts. */
export interface EvaluationSet {
  name: string;
  documents: readonly SourceDocument[];
  questions: readonly SetQuestion[];
  /** Questions that no document answers; empty if the set has none. */
  absent: readonly { id: string; text: string }[];
  /** Snippets asked for with each question. */
  snippets: number;
}

/** Snippets asked for: the most there are, because several may be of one document; for excerpts, recall@20 needs 20. */
const snippetsOfDocuments = 50;
const snippetsOfExcerpts = 20;

type Layout = "beir" | "excerpts";

const layoutOf = async (folder: string): Promise<Layout | null> => {
  if (await Bun.file(join(folder, "corpus.jsonl")).exists()) return "beir";
  return (await Bun.file(join(folder, "questions.jsonl")).exists()) ? "excerpts" : null;
};

/**
 * The sets of a folder: the folder itself if it is a set, else every folder in it that is one, by name. Everything else
 * is ignored.
 * @throws Error if there is none, or that names the file and line of a fault
 */
export const readSets = async (folder: string): Promise<EvaluationSet[]> => {
  const own = await layoutOf(folder);
  if (own !== null) return [await readSet(folder, own)];
  const sets: EvaluationSet[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    if (!(await stat(path)).isDirectory()) continue;
    const layout = await layoutOf(path);
    if (layout !== null) sets.push(await readSet(path, layout));
  }
  if (sets.length === 0)
    throw new Error(
      `${folder} holds no set: corpus.jsonl, queries.jsonl and qrels/test.tsv (BEIR's layout), or questions.jsonl and corpora/; nor does a folder in it.`,
    );
  return sets;
};

const readSet = async (folder: string, layout: Layout): Promise<EvaluationSet> => {
  const set = await (layout === "excerpts" ? ofExcerpts(folder) : ofBeir(folder)).catch((error: unknown) => {
    const { code, path } = error as { code?: string; path?: string };
    throw code === "ENOENT"
      ? new Error(`There is no ${path ?? "file that the set needs"} in the set ${folder}.`)
      : error;
  });
  if (set.documents.length === 0) throw new Error(`${folder} holds no documents.`);
  if (set.questions.length === 0) throw new Error(`${folder} holds no question that has a judgment.`);
  return set;
};

const ofExcerpts = async (folder: string): Promise<EvaluationSet> => {
  const { documents, questions } = await readExcerptSet(folder);
  return {
    name: basename(resolve(folder)),
    documents,
    questions: questions.map((question) => ({
      id: question.id,
      text: question.text,
      answers: [],
      score: (found) => excerptScores(question, found),
    })),
    absent: [],
    snippets: snippetsOfExcerpts,
  };
};

const ofBeir = async (folder: string): Promise<EvaluationSet> => {
  const { documents, queries, judgments, absent } = await readBeirSet(folder);
  return {
    name: basename(resolve(folder)),
    documents,
    questions: queries.map((query) => ({
      ...query,
      score: (found) => documentScores(judgments.get(query.id) ?? new Map(), found),
    })),
    absent,
    snippets: snippetsOfDocuments,
  };
};

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
const excerptScores = ({ document, excerpts }: ExcerptQuestion, { pieces }: Found): RankingScores => {
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
