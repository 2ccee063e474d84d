import { join } from "node:path";
import type { Found } from "./collection.ts";

/** Relevance of documents (or snippets) to one question, by id; what is not in it is not relevant. */
type Judgments = ReadonlyMap<string, number>;

/**
 * Normalized discounted cumulative gain of the first `k` (Järvelin and Kekäläinen 2002), with the judged relevance
 * itself as gain, as trec_eval's `ndcg_cut` has it. 0 where nothing is relevant.
 */
export const ndcg = (ranking: readonly string[], judged: Judgments, k: number): number => {
  const gain = (relevances: readonly number[]): number =>
    relevances.slice(0, k).reduce((sum, relevance, rank) => sum + relevance / Math.log2(rank + 2), 0);
  const ideal = gain([...judged.values()].filter((relevance) => relevance > 0).sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranking.map((id) => Math.max(0, judged.get(id) ?? 0))) / ideal;
};

/** Part of the relevant that is among the first `k`. 0 where nothing is relevant. */
export const recall = (ranking: readonly string[], judged: Judgments, k: number): number => {
  const relevant = [...judged].filter(([, relevance]) => relevance > 0);
  if (relevant.length === 0) return 0;
  const first = new Set(ranking.slice(0, k));
  return relevant.filter(([id]) => first.has(id)).length / relevant.length;
};

/** Figures of one question, 0 to 1. */
export interface RankingScores {
  ndcg10: number;
  recall5: number;
  recall10: number;
  recall20: number;
}

/** Compares the documents found, each at its best snippet, with the judgments. */
export const documentScores = (judged: Judgments, { pieces }: Found): RankingScores => {
  const ranking = [...new Set(pieces.map(({ document }) => document))];
  return {
    ndcg10: ndcg(ranking, judged, 10),
    recall5: recall(ranking, judged, 5),
    recall10: recall(ranking, judged, 10),
    recall20: recall(ranking, judged, 20),
  };
};

interface BeirDocument {
  id: string;
  title: string;
  text: string;
}

interface BeirQuery {
  id: string;
  text: string;
  /** Texts that answer it, where the set has an `answers.jsonl`; else empty. */
  answers: string[];
}

/** A collection with questions and judgments, in the layout of BEIR. */
interface BeirSet {
  documents: BeirDocument[];
  /** Those that have judgments. */
  queries: BeirQuery[];
  judgments: ReadonlyMap<string, Judgments>;
  /** Questions that no document answers, where the set has an `absent.jsonl`. */
  absent: { id: string; text: string }[];
}

/**
 * Reads `corpus.jsonl`, `queries.jsonl`, `qrels/<split>.tsv` and, if there are such, `answers.jsonl` and `absent.jsonl` of a folder.
 * @throws Error that names the file and line of a fault
 */
export const readBeirSet = async (folder: string, split = "test"): Promise<BeirSet> => {
  const documents = (await readJsonLines(join(folder, "corpus.jsonl"))).map(({ row, where }) => ({
    id: stringOf(row, "_id", where),
    title: typeof row.title === "string" ? row.title : "",
    text: stringOf(row, "text", where),
  }));
  const judgments = await readJudgments(join(folder, "qrels", `${split}.tsv`));
  const answersFile = join(folder, "answers.jsonl");
  const answers = new Map<string, string[]>();
  if (await Bun.file(answersFile).exists()) {
    for (const { row, where } of await readJsonLines(answersFile)) {
      const texts = Array.isArray(row.answers) ? row.answers.filter((text) => typeof text === "string") : [];
      answers.set(stringOf(row, "_id", where), texts);
    }
  }
  const asked = ({ row, where }: { row: Row; where: string }) => ({
    id: stringOf(row, "_id", where),
    text: stringOf(row, "text", where),
  });
  const absentFile = join(folder, "absent.jsonl");
  const absent = (await Bun.file(absentFile).exists()) ? (await readJsonLines(absentFile)).map(asked) : [];
  const queries = (await readJsonLines(join(folder, "queries.jsonl")))
    .map(asked)
    .filter(({ id }) => judgments.has(id))
    .map((query) => ({ ...query, answers: answers.get(query.id) ?? [] }));
  return { documents, queries, judgments, absent };
};

type Row = { [key: string]: unknown };

/** Rows of a file with one JSON object a line. @throws Error that names file and line */
export const readJsonLines = async (file: string): Promise<{ row: Row; where: string }[]> => {
  const lines = (await Bun.file(file).text()).split("\n");
  const rows: { row: Row; where: string }[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const where = `${file}, line ${index + 1}`;
    rows.push({ row: parseObject(line, where), where });
  }
  return rows;
};

const parseObject = (line: string, where: string): Row => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error(`${where}: not JSON`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${where}: not an object`);
  return value as Row;
};

const stringOf = (row: Row, field: string, where: string): string => {
  const value = row[field];
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") throw new Error(`${where}: "${field}" is missing`);
  return value;
};

const readJudgments = async (file: string): Promise<Map<string, Map<string, number>>> => {
  const judgments = new Map<string, Map<string, number>>();
  for (const [index, line] of (await Bun.file(file).text()).split("\n").entries()) {
    if (line.trim() === "") continue;
    const [query, document, score] = line.split("\t").map((cell) => cell.trim());
    if (index === 0 && query === "query-id") continue;
    const relevance = Number(score);
    if (query === undefined || document === undefined || !Number.isFinite(relevance)) {
      throw new Error(`${file}, line ${index + 1}: not "query, document, score"`);
    }
    const ofQuery = judgments.get(query) ?? new Map<string, number>();
    ofQuery.set(document, relevance);
    judgments.set(query, ofQuery);
  }
  return judgments;
};
