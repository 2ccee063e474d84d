import type { ParsedFile } from "../../../providers/contract.ts";
import { analyzeOnThread } from "./analysis-thread.ts";
import { type AnalyzedText, type ChunkTerms, isSmallText, type TextToAnalyze, type Urgency } from "./analyzed-text.ts";
import { type EmbedOptions, embedChunks, type LiveIndex } from "./embed-chunks.ts";

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
  // Small texts get their vectors here: in a batch the other thread has more to do than this one (a fifth longer).
  const isLong = texts.some(({ text }) => !isSmallText(text));
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
