import { createHash } from "node:crypto";
import type { ParsedFile } from "../../providers/contract.ts";
import { analyze } from "../retrieval/analyze.ts";
import { chunksOf } from "../retrieval/chunk/index.ts";
import type { Chunk } from "../retrieval/contract.ts";
import type { DocumentRecord, NewSnippet } from "../store/records.ts";
import { createBreather } from "./breathe.ts";
import { type EmbedOptions, embedTexts, type LiveIndex } from "./embed-texts.ts";
import { countTokens } from "./tokens/count-tokens.ts";

/** A piece of a text with all that makes it findable. */
export interface IndexedChunk {
  chunk: Chunk;
  terms: string;
  headingTerms: string;
  /** By index id. */
  vectors: ReadonlyMap<string, Float32Array | null>;
}

/** The same before it has its vectors. */
export type AnalysedChunk = Omit<IndexedChunk, "vectors">;

/** A text ready to be published under any document. */
export interface IndexedText {
  text: string;
  textHash: string;
  tokens: number;
  pages: ParsedFile["pages"];
  chunks: IndexedChunk[];
}

/** SHA-256 of the text in UTF-8, hex: equal where the text is. */
export const hashText = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

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
  const tokens = await countTokens(text);
  const analysed = await analyseText(text, pages, options.signal);
  options.onChunks(analysed.length);

  const inputs = analysed.map(({ chunk }) => embeddingInput(chunk));
  const vectors = await embedTexts(inputs, indexes, options);
  return {
    text,
    textHash: hashText(text),
    tokens,
    pages,
    chunks: analysed.map((one, at) => ({
      ...one,
      vectors: new Map([...vectors].map(([index, list]) => [index, list?.[at] ?? null])),
    })),
  };
};

/** Cuts a text into chunks and analyses them; lets other work run meanwhile. @throws the signal's reason */
export const analyseText = async (
  text: string,
  pages: ParsedFile["pages"],
  signal: AbortSignal,
): Promise<AnalysedChunk[]> => {
  const breathe = createBreather(signal);
  const analysed: AnalysedChunk[] = [];
  for (const chunk of chunksOf(text, pages)) {
    analysed.push({
      chunk,
      terms: analyze(`${chunk.context}\n${chunk.text}`).join(" "),
      headingTerms: analyze(chunk.headings.join("\n")).join(" "),
    });
    await breathe();
  }
  return analysed;
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
