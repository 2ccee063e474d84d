import type { EmbeddingModel, ParsedFile } from "../../../providers/contract.ts";
import { nextTurn } from "../../async/yield.ts";
import type { IndexInfo } from "../../domain/records.ts";
import { embeddingInput } from "../../text/chunk/chunk.ts";
import { analyzeOnThread } from "./analysis-thread.ts";
import type { AnalyzedChunk, AnalyzedText, ChunkTerms, TextToAnalyze, Urgency } from "./analyzed-text.ts";

/** Texts given to the model at a time; the progress is reported after each batch. */
const batchSize = 64;

/** An index that is searched or being built. */
interface LiveIndex {
  index: IndexInfo;
  /** The built-in model; null if it did not make the index. */
  model: EmbeddingModel | null;
}

interface EmbedOptions {
  signal: AbortSignal;
  /** Called with the number of texts that can be found. */
  onProgress(embedded: number): void;
}

/**
 * Vectors of the chunks for each live index that the built-in model makes, by index id. An active index of another model,
 * which an earlier version left, gets null: full text finds the chunks until the index is replaced. One that is being
 * built gets no entry.
 * @throws the signal's reason
 */
const embedChunks = async (
  chunks: readonly AnalyzedChunk[],
  indexes: readonly LiveIndex[],
  { signal, onProgress }: EmbedOptions,
): Promise<Map<string, readonly (Float32Array | null)[] | null>> => {
  const vectors = new Map<string, readonly (Float32Array | null)[] | null>();
  for (const { index, model } of indexes) {
    if (model?.table !== undefined && chunks.every(({ vector }) => vector !== null)) {
      vectors.set(
        index.id,
        chunks.map(({ vector }) => vector), // made by the analysis thread
      );
    } else if (model !== null) vectors.set(index.id, await embedHere(chunks, model, signal, onProgress));
    else if (index.state === "active") vectors.set(index.id, null);
  }
  onProgress(chunks.length);
  return vectors;
};

const embedHere = async (
  chunks: readonly AnalyzedChunk[],
  model: EmbeddingModel,
  signal: AbortSignal,
  onProgress: EmbedOptions["onProgress"],
): Promise<Float32Array[]> => {
  const found: Float32Array[] = [];
  for (let start = 0; start < chunks.length; start += batchSize) {
    signal.throwIfAborted();
    const inputs = chunks.slice(start, start + batchSize).map(({ chunk }) => embeddingInput(chunk));
    found.push(...(await model.embed(inputs, "document", signal)));
    if (found.length === chunks.length) break;
    onProgress(found.length);
    await nextTurn();
  }
  return found;
};

/**
 * Longer texts get their vectors on the thread that analyzes them: made here, those of a batch of texts of 12,000 characters took
 * half of this thread's time, and of 100 questions asked meanwhile the slowest took 1,032 ms in place of 356 (2 busy cores). The
 * batch takes a tenth longer.
 */
const maxEmbeddedHere = 2_000;

/** A text of this length leaves so much behind on its way here, and while it is analyzed, that garbage is collected. */
const maxUncollectedCharacters = 4 * 1024 * 1024;

/** A chunk of a text with everything that a search finds it by. */
interface IndexedChunk extends ChunkTerms {
  /** By index id. */
  vectors: ReadonlyMap<string, Float32Array | null>;
}

/** A text that is ready to be published under any document. */
export interface IndexedText extends Omit<AnalyzedText, "chunks"> {
  text: string;
  pages: ParsedFile["pages"];
  chunks: IndexedChunk[];
}

interface IndexTextsOptions extends EmbedOptions {
  urgency: Urgency;
  /** Called with the number of chunks once the texts are cut. */
  onChunks(chunks: number): void;
}

/**
 * Cuts texts into chunks, analyzes and embeds them.
 * @returns in the order of the texts
 * @throws ProviderError; the signal's reason
 */
export const indexTexts = async (
  texts: readonly TextToAnalyze[],
  indexes: readonly LiveIndex[],
  options: IndexTextsOptions,
): Promise<IndexedText[]> => {
  // Small texts get their vectors here: in a batch of them the other thread has more to do than this one (a fifth longer).
  const isLong = texts.some(({ text }) => text.length > maxEmbeddedHere);
  const table = isLong ? (indexes.find(({ model }) => model?.table !== undefined)?.model?.table ?? null) : null;
  const collectGarbage = (): void => {
    // Beside other work; on its own the engine waits until the heap has doubled.
    if (texts.some(({ text }) => text.length > maxUncollectedCharacters)) Bun.gc(false);
  };
  collectGarbage(); // what the body was read from
  const analyzed = await analyzeOnThread(texts, options.urgency, options.signal, table);
  collectGarbage();
  const chunks = analyzed.flatMap((text) => text.chunks);
  options.onChunks(chunks.length);

  const vectors = await embedChunks(chunks, indexes, options);
  let next = 0;
  return texts.map(({ text, pages }, at) => {
    const ofText = analyzed[at] as AnalyzedText;
    const withVectors = ofText.chunks.map(({ chunk, terms, headingTerms }) => {
      const input = next++;
      const ofChunk = new Map<string, Float32Array | null>();
      for (const [index, list] of vectors) ofChunk.set(index, list?.[input] ?? null);
      return { chunk, terms, headingTerms, vectors: ofChunk };
    });
    return { ...ofText, text, pages, chunks: withVectors };
  });
};
