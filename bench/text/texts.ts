import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createCorpus } from "../serving/corpus.ts";

const fixtures = join(import.meta.dir, "../../test/fixtures");

/** Texts that the contenders read, by kind. */
export type TextKind = "english" | "german" | "chinese" | "code";

const setOf = { german: "xquad-de", chinese: "xquad-zh", code: "codebase" } as const;

const readSet = (set: string): string[] =>
  readFileSync(join(fixtures, "retrieval", set, "corpus.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { text: string }).text);

/** English is made of an article's words, so that there is as much of it as is wanted; the others are fixtures. */
export const readTexts = (kind: TextKind): string[] => {
  if (kind !== "english") return readSet(setOf[kind]);
  const corpus = createCorpus(14);
  return Array.from({ length: 1_500 }, () => corpus.document(2_000));
};

export const readVocabulary = (): string[] =>
  readFileSync(join(import.meta.dir, "../../providers/builtin/wordpiece/vocabulary.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== "");

export interface WordPieceCase {
  text: string;
  ids: number[];
}

/** Texts with the ids that the original (the Rust crate `tokenizers`) gives them. */
export const readWordPieceCases = (): WordPieceCase[] =>
  JSON.parse(readFileSync(join(fixtures, "wordpiece/cases.json"), "utf8")) as WordPieceCase[];
