import { createHash } from "node:crypto";
import type { ParsedFile } from "../../../providers/contract.ts";
import { createYielder } from "../../async/yield.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { analyze } from "../../text/analysis/analyze.ts";
import { type Chunk, embeddingInput } from "../../text/chunk/chunk.ts";
import { chunksOf } from "../../text/chunk/chunk-text.ts";
import { countTokens } from "../../text/tokens/count-tokens.ts";

/** How urgent: `interactive` where a caller waits for the document, `background` where nobody does. */
export type Urgency = "interactive" | "background";

/** How large: a `small` document is indexed within a few milliseconds; all others are `large`. */
export type Size = "small" | "large";

/** Shorter documents are known by their file names; their first page is text like any other. */
const minPages = 5;
/** What is read of a first page. */
const maxCharacters = 400;
/** A longer line is not part of a cover but of a text. */
const maxLineCharacters = 120;
const maxLines = 12;

/**
 * What the cover of a long document says: the short lines at the top of its first page. Files are often called
 * `report_final.pdf`, and only the cover names the company and the year. Empty for texts without pages.
 */
export const coverText = (text: string, pages: ParsedFile["pages"]): string => {
  if (pages.length < minPages) return "";
  const end = Math.min(pages[1]?.start ?? 0, maxCharacters);
  const lines: string[] = [];
  for (const line of text.slice(0, end).split("\n")) {
    if (line.length > maxLineCharacters || lines.length >= maxLines) break;
    const words = line.replace(/^#{1,6} /, "").trim();
    if (words !== "") lines.push(words);
  }
  return lines.join("\n");
};

export interface TextToAnalyze {
  text: string;
  pages: ParsedFile["pages"];
  /** The expected name of the document. */
  name?: string | undefined;
}

/** The terms of a document's name. */
interface AnalyzedName {
  name: string;
  terms: string;
}

/** What full text finds all snippets of a document by: the terms of its name and of its cover, in this order. */
export const titleTermsOf = (name: string, coverTerms: string): string => `${name} ${coverTerms}`.trim();

/** A chunk of a text with its full-text terms. */
export interface ChunkTerms {
  chunk: Chunk;
  terms: string;
  headingTerms: string;
}

export interface AnalyzedChunk extends ChunkTerms {
  /** Of the built-in static model, where it was asked for. */
  vector: Float32Array | null;
}

/** A text with everything that needs no model. */
export interface AnalyzedText {
  textHash: string;
  tokens: number;
  /** Null where no name was given. */
  title: AnalyzedName | null;
  /** The terms of its cover (cover-text.ts); may be empty. */
  coverTerms: string;
  chunks: AnalyzedChunk[];
}

export const analyzeName = (name: string): AnalyzedName => ({ name, terms: analyze(name).join(" ") });

/** What of a document's metadata people ask by: who made it, its tags and subjects. Ids and the like would only disturb. */
const askedBy =
  /^(?:authors?|creator|writer|by|from|sender|editor|tags?|keywords?|subjects?|topics?|categor(?:y|ies)|title|project|customer|department|autor|verfasser|schlagwörter|stichwörter|auteur|mots-clés|autore|etiquetas)$/i;
const maxMetadataCharacters = 400;

/**
 * The terms that a document is called by: of its name, and of what its metadata say of its making and subject.
 * @param nameTerms those of the name, where they are known
 */
export const labelTerms = (
  { name, metadata }: Pick<DocumentRecord, "name" | "metadata">,
  nameTerms: string = analyzeName(name).terms,
): string => {
  const values = Object.entries(metadata ?? {}).flatMap(([key, value]) =>
    askedBy.test(key) ? (Array.isArray(value) ? value : [value]) : [],
  );
  const text = values
    .filter((value) => typeof value === "string")
    .join("\n")
    .slice(0, maxMetadataCharacters);
  return text === "" ? nameTerms : `${nameTerms} ${analyze(text).join(" ")}`;
};

/** Whether a text is analyzed within some 5 ms. */
export const isSmallText = (text: string): boolean => text.length <= 20_000;

/** SHA-256 of the text in UTF-8, hex. */
export const hashText = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

interface AnalysisOptions {
  /** Makes a chunk's vector. Left out: chunks get none. */
  vectorOf?: ((text: string) => Float32Array) | undefined;
  /** Called when it continues after other work. */
  onResume?(): void;
  /** Takes the next chunks of a long text, which are then not in the result. Left out: all chunks are in the result. */
  onChunks?(chunks: AnalyzedChunk[]): void;
}

/** Chunks of a long text that are passed on together: some 2 MB with their terms and vectors. */
const chunksPerPart = 256;

/**
 * Counts a text's tokens, cuts it into chunks and analyzes them; lets other work run in between.
 * @throws the signal's reason
 */
export const analyzeText = async (
  { text, pages, name }: TextToAnalyze,
  signal: AbortSignal,
  options: AnalysisOptions = {},
): Promise<AnalyzedText> => ({
  textHash: hashText(text),
  tokens: await countTokens(text, options.onResume),
  title: name === undefined ? null : analyzeName(name),
  coverTerms: analyze(coverText(text, pages)).join(" "),
  chunks: await analyzeChunks(text, pages, signal, options),
});

/** As `analyzeText`, but only the chunks. @throws the signal's reason */
export const analyzeChunks = async (
  text: string,
  pages: ParsedFile["pages"],
  signal: AbortSignal,
  { vectorOf, onResume, onChunks }: AnalysisOptions = {},
): Promise<AnalyzedChunk[]> => {
  const yieldTurn = createYielder(signal);
  let analyzed: AnalyzedChunk[] = [];
  let path = "";
  let headingTerms = "";
  for (const chunk of chunksOf(text, pages)) {
    const own = chunk.headings.join("\n");
    if (own !== path) headingTerms = analyze(own).join(" "); // mostly the same as those of the last chunk
    path = own;
    const terms = analyze(`${chunk.context}\n${chunk.text}`).join(" ");
    analyzed.push({ chunk, terms, headingTerms, vector: vectorOf?.(embeddingInput(chunk)) ?? null });
    if (onChunks !== undefined && analyzed.length >= chunksPerPart) {
      onChunks(analyzed);
      analyzed = [];
    }
    const pause = yieldTurn();
    if (pause === undefined) continue;
    await pause;
    onResume?.();
  }
  return analyzed;
};
