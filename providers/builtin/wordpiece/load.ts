import { readFile } from "node:fs/promises";
import { createTokenizer, type Tokenizer } from "./tokenizer.ts";
import { readVocabulary } from "./vocabulary.ts";
import path from "./vocabulary.txt" with { type: "file" };

/** A tokenizer over the vocabulary that is built in (all-MiniLM-L6-v2's). */
export const loadTokenizer = async (): Promise<Tokenizer> => {
  return createTokenizer(readVocabulary(await readFile(path, "utf8")));
};
