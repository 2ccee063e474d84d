import { createHash } from "node:crypto";
import type { ParsedFile } from "../../../providers/contract.ts";
import { createBreather } from "../../async/breathe.ts";
import { analyze } from "../../text/analysis/analyze.ts";
import type { Chunk } from "../../text/chunk/chunk.ts";
import { chunksOf } from "../../text/chunk/chunk-text.ts";
import { countTokens } from "../../text/tokens/count-tokens.ts";

export interface TextToAnalyse {
  text: string;
  pages: ParsedFile["pages"];
  /** What the document will probably be called. */
  name?: string | undefined;
}

/** What a document is found by because it is called so. */
export interface AnalysedName {
  name: string;
  terms: string;
}

/** A piece of a text with what full text finds it by. */
export interface AnalysedChunk {
  chunk: Chunk;
  terms: string;
  headingTerms: string;
}

/** A text with all that is known of it without a model. */
export interface AnalysedText {
  textHash: string;
  tokens: number;
  /** Null where no name was given. */
  title: AnalysedName | null;
  chunks: AnalysedChunk[];
}

export const analyseName = (name: string): AnalysedName => ({ name, terms: analyze(name).join(" ") });

/** Whether a text is analysed in a moment: some 5 ms at most. */
export const isShort = (text: string): boolean => text.length <= 20_000;

/** SHA-256 of the text in UTF-8, hex: equal where the text is. */
export const hashText = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** What is told of an analysis under way. */
export interface AnalysisEvents {
  /** It goes on after other work. */
  onResume?(): void;
  /** The next chunks of a long text; they are not in the result then. Left out: all are in it. */
  onChunks?(chunks: AnalysedChunk[]): void;
}

/** Chunks of a long text that are handed on together: some 2 MB with their terms. */
const CHUNKS_AT_ONCE = 256;

/**
 * Counts a text's tokens, cuts it into chunks and analyses them; lets other work run meanwhile.
 * @throws the signal's reason
 */
export const analyseText = async (
  { text, pages, name }: TextToAnalyse,
  signal: AbortSignal,
  events: AnalysisEvents = {},
): Promise<AnalysedText> => ({
  textHash: hashText(text),
  tokens: await countTokens(text, events.onResume),
  title: name === undefined ? null : analyseName(name),
  chunks: await analyseChunks(text, pages, signal, events),
});

/** As `analyseText`, but the chunks alone. @throws the signal's reason */
export const analyseChunks = async (
  text: string,
  pages: ParsedFile["pages"],
  signal: AbortSignal,
  { onResume, onChunks }: AnalysisEvents = {},
): Promise<AnalysedChunk[]> => {
  const breathe = createBreather(signal);
  let analysed: AnalysedChunk[] = [];
  let path = "";
  let headingTerms = "";
  for (const chunk of chunksOf(text, pages)) {
    const own = chunk.headings.join("\n");
    if (own !== path) headingTerms = analyze(own).join(" "); // mostly those of the chunk before
    path = own;
    analysed.push({ chunk, terms: analyze(`${chunk.context}\n${chunk.text}`).join(" "), headingTerms });
    if (onChunks !== undefined && analysed.length >= CHUNKS_AT_ONCE) {
      onChunks(analysed);
      analysed = [];
    }
    const pause = breathe();
    if (pause === undefined) continue;
    await pause;
    onResume?.();
  }
  return analysed;
};
