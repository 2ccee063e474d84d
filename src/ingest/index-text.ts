import type { ParsedFile } from "../../providers/contract.ts";
import { analyze } from "../retrieval/analyze.ts";
import type { Chunk } from "../retrieval/contract.ts";
import type { DocumentRecord, NewSnippet } from "../store/records.ts";
import type { AnalysedChunk } from "./analysed-text.ts";
import { analyseOnThread } from "./analysis-thread.ts";
import { type EmbedOptions, embedTexts, type LiveIndex } from "./embed-texts.ts";

/** A piece of a text with all that makes it findable. */
export interface IndexedChunk extends AnalysedChunk {
  /** By index id. */
  vectors: ReadonlyMap<string, Float32Array | null>;
}

/** A text ready to be published under any document. */
export interface IndexedText {
  text: string;
  textHash: string;
  tokens: number;
  pages: ParsedFile["pages"];
  chunks: IndexedChunk[];
}

/**
 * Cuts a text into chunks, analyses and embeds them.
 * @throws ProviderError; the signal's reason
 */
export const indexText = async (
  text: string,
  pages: ParsedFile["pages"],
  indexes: readonly LiveIndex[],
  options: EmbedOptions & { onChunks(chunks: number): void },
): Promise<IndexedText> => {
  const { textHash, tokens, chunks } = await analyseOnThread(text, pages, options.signal);
  options.onChunks(chunks.length);

  const inputs = chunks.map(({ chunk }) => embeddingInput(chunk));
  const vectors = await embedTexts(inputs, indexes, options);
  return {
    text,
    textHash,
    tokens,
    pages,
    chunks: chunks.map((one, at) => ({
      ...one,
      vectors: new Map([...vectors].map(([index, list]) => [index, list?.[at] ?? null])),
    })),
  };
};

/** What the model sees of a chunk: a table's column names belong to its rows. */
export const embeddingInput = (chunk: Pick<Chunk, "context" | "text">): string =>
  chunk.context === "" ? chunk.text : `${chunk.context}\n${chunk.text}`;

/** The snippets of a document's revision: `document.revision` is the one being published. */
export const toSnippets = (
  document: DocumentRecord,
  revision: string,
  { chunks }: Pick<IndexedText, "chunks">,
): NewSnippet[] => {
  const titleTerms = analyze(document.name).join(" ");
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
