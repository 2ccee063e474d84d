import { join } from "node:path";
import { plugin } from "bun";
import { readVocabulary } from "./texts.ts";

/** Does its work on one text. What it returns is compared with the other contender's and kept from being optimized away. */
export type Work = (text: string) => unknown;

/** A way to do the work; its modules are imported by `load`, so that a process loads only what it measures. */
export interface Contender {
  load(): Promise<Work>;
  /** Source of an entry point that needs what the contender needs, for its size in a bundle. */
  entry: string;
}

export type Subject = "tokens" | "stems" | "analysis" | "words" | "wordpiece";
export type ContenderName = "ours" | "library";

const root = join(import.meta.dir, "../..");
const sourceOf = (path: string): string => JSON.stringify(join(root, path));

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z']+/g) ?? [];

const ourTokens: Contender = {
  async load() {
    const { countTokens } = await import("../../src/text/tokens/count-tokens.ts");
    await countTokens("Loads the table.");
    return (text) => countTokens(text);
  },
  entry: `export { countTokens } from ${sourceOf("src/text/tokens/count-tokens.ts")};`,
};

const libraryTokens: Contender = {
  async load() {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    const options = { disallowedSpecial: new Set<string>() };
    return (text) => countTokens(text, options);
  },
  entry: `export { countTokens } from "gpt-tokenizer/encoding/o200k_base";`,
};

const ourStems: Contender = {
  async load() {
    const { stemEnglish } = await import("../../src/text/analysis/fast/english-stem.ts");
    return (text) => wordsOf(text).map(stemEnglish).join(" ");
  },
  entry: `export { stemEnglish } from ${sourceOf("src/text/analysis/fast/english-stem.ts")};`,
};

const libraryStems: Contender = {
  async load() {
    const { newStemmer } = await import("snowball-stemmers");
    const stemmer = newStemmer("english");
    return (text) =>
      wordsOf(text)
        .map((word) => stemmer.stem(word))
        .join(" ");
  },
  entry: `export { newStemmer } from "snowball-stemmers";`,
};

/** The analysis of whole documents, as ingest runs it: with scanner, caches and language. */
const analysis = async (): Promise<Work> => {
  const { analyze } = await import("../../src/text/analysis/analyze.ts");
  return (text) => analyze(text).join(" ");
};
const analysisEntry = `export { analyze } from ${sourceOf("src/text/analysis/analyze.ts")};`;

const libraryAnalysis: Contender = {
  async load() {
    plugin({
      name: "stems by the library",
      setup(build) {
        build.onLoad({ filter: /\/fast\/english-stem\.ts$/ }, () => ({
          contents: `import { newStemmer } from "snowball-stemmers";
            const stemmer = newStemmer("english");
            export const stemEnglish = (word) => stemmer.stem(word);`,
          loader: "js",
        }));
      },
    });
    return await analysis();
  },
  entry: analysisEntry,
};

const ourWords: Contender = {
  async load() {
    const { scanWords } = await import("../../src/text/analysis/fast/scan-words.ts");
    return (text) => {
      const words: string[] = [];
      const take = (start: number, end: number) => void words.push(text.slice(start, end));
      scanWords(text, { word: take, dense: take });
      return words;
    };
  },
  entry: `export { scanWords } from ${sourceOf("src/text/analysis/fast/scan-words.ts")};`,
};

/** What scan-words.ts finds, without its limit on a run's length. */
const wordPattern = (): RegExp => {
  const dense =
    "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc\\uff70\\uff9e\\uff9f々〆]";
  const start = `(?:(?!${dense})\\p{L}|\\p{N})`;
  const inside = `(?:(?!${dense})[\\p{L}\\p{M}]|[\\p{N}\\u00ad\\u200c\\u200d\\u2060\\ufeff])`;
  const joint = `(?:[-_./:@#&+\\u2010\\u2011'\\u2019\\u02bc\\uff07]|::|(?<=\\p{N}),(?=\\p{N}))(?=${start})`;
  const name = `${start}${inside}?\\+\\+|(?!\\p{N})${start}#(?!${start})`;
  return new RegExp(`(?:${dense})(?:${dense}|\\p{M})*|${name}|${start}(?:${inside}|${joint})*`, "gu");
};

const patternWords: Contender = {
  async load() {
    const pattern = wordPattern();
    return (text) => text.match(pattern) ?? [];
  },
  entry: "export {};",
};

const ourWordPieces: Contender = {
  async load() {
    const { loadTokenizer } = await import("../../providers/builtin/wordpiece/load.ts");
    const { emptyRun, runLimit } = await import("../../providers/builtin/wordpiece/tokenizer.ts");
    const tokenizer = await loadTokenizer();
    const run = emptyRun();
    return (text) => {
      const ids: number[] = [];
      for (let at = 0; at < text.length; at = run.next) {
        tokenizer.read(text, at, runLimit, run);
        for (let index = 0; index < run.count; index++) ids.push(tokenizer.pieces[index] as number);
      }
      return ids;
    };
  },
  entry: `export { loadTokenizer } from ${sourceOf("providers/builtin/wordpiece/load.ts")};`,
};

/** all-MiniLM-L6-v2's `tokenizer.json`, made from its vocabulary. */
const bertUncased = (): object => {
  const vocab = Object.fromEntries(readVocabulary().map((piece, id) => [piece, id]));
  const specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: specials.map((content) => ({
      id: vocab[content],
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: null,
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab,
    },
  };
};

const libraryWordPieces: Contender = {
  async load() {
    const { Tokenizer } = await import("@huggingface/tokenizers");
    const tokenizer = new Tokenizer(bertUncased(), {});
    return (text) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  },
  entry: `import vocabulary from ${sourceOf("providers/builtin/wordpiece/vocabulary.txt")} with { type: "file" };
    export { vocabulary };
    export { Tokenizer } from "@huggingface/tokenizers";`,
};

export const contenders: Record<Subject, Record<ContenderName, Contender>> = {
  tokens: { ours: ourTokens, library: libraryTokens },
  stems: { ours: ourStems, library: libraryStems },
  analysis: { ours: { load: analysis, entry: analysisEntry }, library: libraryAnalysis },
  words: { ours: ourWords, library: patternWords },
  wordpiece: { ours: ourWordPieces, library: libraryWordPieces },
};
