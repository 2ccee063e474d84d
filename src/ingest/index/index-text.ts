import type { ParsedFile } from "../../../providers/contract.ts";
import type { DocumentRecord, NewSnippet } from "../../domain/records.ts";
import type { Chunk } from "../../text/chunk/chunk.ts";
import { type AnalyzedChunk, type AnalyzedText, analyzeName, type TextToAnalyze } from "./analyzed-text.ts";
import { analyzeOnThread } from "./analysis-thread.ts";
import { type EmbedOptions, embedTexts, type LiveIndex } from "./embed-texts.ts";

/** A piece of a text with all that makes it findable. */
export interface IndexedChunk extends AnalyzedChunk {
  /** By index id. */
  vectors: ReadonlyMap<string, Float32Array | null>;
}

/** A text ready to be published under any document. */
export interface IndexedText extends Omit<AnalyzedText, "chunks"> {
  text: string;
  pages: ParsedFile["pages"];
  chunks: IndexedChunk[];
}

/**
 * Cuts texts into chunks, analyzes and embeds them.
 * @param options `isUrgent`: somebody waits for them
 * @returns in the order of the texts
 * @throws ProviderError; the signal's reason
 */
export const indexTexts = async (
  texts: readonly TextToAnalyze[],
  indexes: readonly LiveIndex[],
  options: EmbedOptions & { isUrgent: boolean; onChunks(chunks: number): void },
): Promise<IndexedText[]> => {
  const analyzed = await analyzeOnThread(texts, options.isUrgent, options.signal);
  const inputs: string[] = [];
  for (const { chunks } of analyzed) for (const { chunk } of chunks) inputs.push(embeddingInput(chunk));
  options.onChunks(inputs.length);

  const vectors = await embedTexts(inputs, indexes, options);
  let next = 0;
  return texts.map(({ text, pages }, at) => {
    const { textHash, tokens, title, chunks } = analyzed[at] as AnalyzedText;
    const withVectors = chunks.map(({ chunk, terms, headingTerms }) => {
      const input = next++;
      const ofChunk = new Map<string, Float32Array | null>();
      for (const [index, list] of vectors) ofChunk.set(index, list?.[input] ?? null);
      return { chunk, terms, headingTerms, vectors: ofChunk };
    });
    return { text, pages, textHash, tokens, title, chunks: withVectors };
  });
};

/** What the model sees of a chunk: a table's column names belong to its rows. */
export const embeddingInput = (chunk: Pick<Chunk, "context" | "text">): string =>
  chunk.context === "" ? chunk.text : `${chunk.context}\n${chunk.text}`;

/** The snippets of a document's revision: `document.revision` is the one being published. */
export const toSnippets = (
  document: DocumentRecord,
  revision: string,
  { chunks, title }: Pick<IndexedText, "chunks" | "title">,
): NewSnippet[] => {
  const { terms: titleTerms } = title?.name === document.name ? title : analyzeName(document.name);
  return chunks.map(({ chunk, terms, headingTerms, vectors }, position) => ({
    id: Bun.randomUUIDv7(),
    organizationId: document.organizationId,
    documentId: document.id,
    partitionId: document.partitionId,
    revision,
    position,
    text: chunk.text,
    context: chunk.context,
    headings: chunk.headings,
    page: chunk.page,
    start: chunk.start,
    end: chunk.end,
    terms,
    headingTerms,
    titleTerms,
    vectors,
  }));
};
