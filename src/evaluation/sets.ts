import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { readBeirSet } from "./beir.ts";
import type { Found, SourceDocument } from "./collection.ts";
import { excerptScores, readExcerptSet } from "./excerpts.ts";
import { documentScores, type RankingScores } from "./metrics.ts";

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
