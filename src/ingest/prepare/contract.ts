import type { EmbeddingModel, FileParser, PageReached } from "../../../providers/contract.ts";
import type { DocumentRecord, IndexInfo } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import type { Store } from "../../store/contract.ts";
import type { Tracer } from "../../tracing/tracer.ts";
import type { FetchUrl } from "../fetch/contract.ts";
import type { Size, TextToAnalyze, Urgency } from "../index/analyzed-text.ts";
import type { IndexedText } from "../index/index-text.ts";
import type { ReadText, Source } from "./source.ts";

export type Progress = DocumentRecord["progress"];
/** @param reading the page that is being read; null where none is, or the format has none */
export type OnProgress = (progress: Progress, reading: PageReached | null) => void;

export interface PipelineOptions {
  store: Store;
  fetchUrl: FetchUrl;
  /** For pages that a scan found; `fetchUrl` where left out. */
  fetchPage?: FetchUrl | undefined;
  parser: FileParser;
  /** The built-in model if it made the index; null for an index of another model. No other model is called here. */
  embeddingFor(index: IndexInfo): EmbeddingModel | null;
  /** Called when documents were published; may be left out. */
  onPublished?(): void;
  maxDocumentBytes: number;
  log: Logger;
}

export interface IndexOptions {
  onProgress?: OnProgress;
  /** `interactive` unless given. */
  urgency?: Urgency;
}

/** The steps from a source to a document that searches find. Only `publish` and `publishNew` change documents. */
export interface IngestPipeline {
  /**
   * Fetches and parses. Bytes fetched from an address are stored as a blob; the caller releases it.
   * @throws ApiError, ProviderError, the signal's reason
   */
  read(source: Source, signal: AbortSignal, onProgress?: OnProgress): Promise<ReadText>;
  /**
   * Cuts, analyzes and embeds with the built-in model, for every live index: waits for no other model.
   * @throws ApiError unreadable_file, the signal's reason
   */
  index(text: TextToAnalyze, signal: AbortSignal, options?: IndexOptions): Promise<IndexedText>;
  /** Indexes several small texts at once, at a fraction of the cost for each. @returns in the order of the texts */
  indexTogether(texts: readonly TextToAnalyze[], urgency: Urgency, signal: AbortSignal): Promise<IndexedText[]>;
  /** @throws ApiError document_too_large for a text that `read` would refuse */
  checkText(text: string): void;
  /** `small`: `index` takes a few milliseconds for this text. */
  sizeOf(text: Pick<ReadText, "text">): Size;
  /**
   * Makes the text current under the document, which is `processed` and found from then on. Embeds the text again where
   * the search index was changed since `index`.
   * @param isPendingText the text is the one that the store holds for the pending document: it is not written again
   * @returns the record as stored
   */
  publish(
    document: DocumentRecord,
    indexed: IndexedText,
    signal: AbortSignal,
    isPendingText?: boolean,
  ): Promise<DocumentRecord>;
  /**
   * As `publish`, for documents that are not in the store yet: stores all of them or none.
   * @param areImported they come from elsewhere, and keep `updatedAt`; one that names a file comes alone
   * @returns in their order
   */
  publishNew(
    documents: readonly DocumentRecord[],
    indexed: readonly IndexedText[],
    signal: AbortSignal,
    areImported?: boolean,
  ): Promise<DocumentRecord[]>;
}

/** The same pipeline; each step of a document is a span. */
export const tracedPipeline = (pipeline: IngestPipeline, { span }: Pick<Tracer, "span">): IngestPipeline => ({
  ...pipeline,
  read: (source, signal, onProgress) =>
    span("ingest.read", (read) => {
      read.note({ "carrel.source": source.kind });
      return pipeline.read(source, signal, onProgress);
    }),
  index: (text, signal, options) => span("ingest.index", () => pipeline.index(text, signal, options)),
  indexTogether: (texts, urgency, signal) =>
    span("ingest.index", (index) => {
      index.note({ "carrel.documents": texts.length });
      return pipeline.indexTogether(texts, urgency, signal);
    }),
  publish: (document, indexed, signal, isPendingText) =>
    span("ingest.publish", () => pipeline.publish(document, indexed, signal, isPendingText)),
  publishNew: (documents, indexed, signal, areImported) =>
    span("ingest.publish", (publish) => {
      publish.note({ "carrel.documents": documents.length });
      return pipeline.publishNew(documents, indexed, signal, areImported);
    }),
});
