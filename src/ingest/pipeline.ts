import type { EmbeddingModel, FileParser } from "../../providers/contract.ts";
import type { DocumentRecord, IndexInfo } from "../domain/records.ts";
import type { Logger } from "../log.ts";
import { IndexesChangedError, type Publication, type Store } from "../store/contract.ts";
import type { FetchUrl } from "./fetch/fetcher.ts";
import { isShort, type TextToAnalyze } from "./index/analyzed-text.ts";
import { isCheap } from "./index/embed-texts.ts";
import { createEmbeddingCache } from "./index/embedding-cache.ts";
import { createHeldVectors, type HeldVectors, type TextOwner } from "./index/held-vectors.ts";
import { type IndexedText, indexTexts, toSnippets } from "./index/index-text.ts";
import { checkedText, type ReadText, readSource, type Source } from "./read-source.ts";

export type Progress = DocumentRecord["progress"];

export interface PipelineOptions {
  store: Store;
  fetchUrl: FetchUrl;
  /** For pages that a scan found; `fetchUrl` where left out. */
  fetchPage?: FetchUrl | undefined;
  parser: FileParser;
  /** The model that an index was made with; null where the configuration does not reach it any more. */
  embeddingFor(index: IndexInfo): EmbeddingModel | null;
  /**
   * True while the search index is changing to another embedding model: documents then go in without vectors where no
   * model can be reached, since the new index makes good for it. Left out: never.
   */
  isChangingModel?(): boolean;
  /** Awaited before texts are embedded; left out: nothing. @throws ProviderError where they cannot be */
  beforeIndexing?(signal: AbortSignal): Promise<void>;
  maxDocumentBytes: number;
  log: Logger;
}

export interface IndexOptions {
  onProgress?: (progress: Progress) => void;
  /** Left out: nothing is looked for in the store. */
  owner?: TextOwner;
  /** Others wait for their texts, and nobody for this one. */
  isPatient?: boolean;
}

/** The steps from a source to a document that can be found. None but `publish` changes the store. */
export interface IngestPipeline {
  /**
   * Fetches and parses. Bytes fetched from an address are kept as a blob, which is the caller's to release.
   * @throws ApiError, ProviderError, the signal's reason
   */
  read(source: Source, signal: AbortSignal, onProgress?: (progress: Progress) => void): Promise<ReadText>;
  /**
   * Cuts, analyzes and embeds, for every live index. Of what the owner of the text holds already nothing is embedded
   * again.
   * @throws ProviderError, the signal's reason
   */
  index(text: TextToAnalyze, signal: AbortSignal, options?: IndexOptions): Promise<IndexedText>;
  /**
   * `index` of some quick texts (see `isQuick`) at once, at a fraction of its cost for each; they wait for those that
   * somebody waits for.
   * @returns in the order of the texts
   */
  indexQuick(texts: readonly TextToAnalyze[], signal: AbortSignal): Promise<IndexedText[]>;
  /** @throws ApiError document_too_large for a text that `read` would refuse */
  checkText(text: string): void;
  /** Whether `index` is done with this text in a moment, whatever else waits: its turn is one of many. */
  isQuick(text: Pick<ReadText, "text">): boolean;
  /**
   * Makes the text current under the document, which is from then on `processed` and found. Embeds anew where the
   * search index was changed since `index`.
   * @param textWaits whether this very text is what the document waits with in the store: it is not written again
   * @returns the record as it stands in the store
   */
  publish(
    document: DocumentRecord,
    indexed: IndexedText,
    signal: AbortSignal,
    textWaits?: boolean,
  ): Promise<DocumentRecord>;
  /** `publish` of documents that are not in the store yet, all at once or none. @returns in their order */
  publishNew(
    documents: readonly DocumentRecord[],
    indexed: readonly IndexedText[],
    signal: AbortSignal,
  ): Promise<DocumentRecord[]>;
}

/** The document as it is once `revision` of it can be found. */
const toPublication = (document: DocumentRecord, indexed: IndexedText, revision: string): Publication => {
  const chunks = indexed.chunks.length;
  const published: DocumentRecord = {
    ...document,
    revision,
    status: "processed",
    error: null,
    errorReason: null,
    tokens: indexed.tokens,
    textHash: indexed.textHash,
    updatedAt: Date.now(),
    attempts: 0,
    nextAttemptAt: null,
    begun: 0,
    progress: { pages: indexed.pages.length, chunks, embedded: chunks },
  };
  return { document: published, text: indexed.text, snippets: toSnippets(published, revision, indexed) };
};

/** Vectors kept for content that comes again: some 15,000 chunks at 256 numbers, 5,000 at 768. */
const CACHE_BYTES = 16 * 1024 * 1024;
const MOST_PUBLISH_TRIES = 3;

export const createPipeline = (options: PipelineOptions): IngestPipeline => {
  const { store, fetchUrl, fetchPage, parser, embeddingFor, maxDocumentBytes, log } = options;
  const cache = createEmbeddingCache(CACHE_BYTES);

  const liveIndexes = (): IndexInfo[] => {
    const building = store.indexes.building();
    return [store.indexes.active(), ...(building === null ? [] : [building])];
  };

  const indexAll = async (
    texts: readonly TextToAnalyze[],
    signal: AbortSignal,
    { onProgress, isPatient = false }: IndexOptions,
    held?: HeldVectors,
  ): Promise<IndexedText[]> => {
    await options.beforeIndexing?.(signal);
    const prepared = store.documents.announce();
    try {
      const live = liveIndexes();
      let progress = { pages: texts.reduce((sum, { pages }) => sum + pages.length, 0), chunks: 0, embedded: 0 };
      const report = (change: Partial<Progress>) => {
        progress = { ...progress, ...change };
        onProgress?.(progress);
      };
      return await indexTexts(
        texts,
        live.map((index) => ({ index, model: embeddingFor(index) })),
        {
          cache,
          held,
          signal,
          isUrgent: !isPatient,
          vectorsRequired: !(options.isChangingModel?.() ?? false),
          onChunks: (chunks) => report({ chunks }),
          onProgress: (embedded) => report({ embedded }),
          onMissing: ({ provider, model }, error) =>
            log.warn({ provider, model, err: error }, "a search index goes without vectors of a document"),
        },
      );
    } finally {
      prepared();
    }
  };

  const index: IngestPipeline["index"] = async (text, signal, options = {}) => {
    const held = options.owner && createHeldVectors(store, text.text, options.owner);
    const [indexed] = await indexAll([text], signal, options, held);
    return indexed as IndexedText;
  };

  /** Publishes what was indexed, and indexes it anew where the search index was changed since then. */
  const withLiveIndexes = async <T>(
    indexed: readonly IndexedText[],
    signal: AbortSignal,
    publish: (indexed: readonly IndexedText[]) => Promise<T>,
  ): Promise<T> => {
    for (let current = indexed, tries = 1; ; tries++) {
      try {
        return await publish(current);
      } catch (error) {
        if (!(error instanceof IndexesChangedError) || tries === MOST_PUBLISH_TRIES) throw error;
        const again = indexed.map(({ text, pages, title }) => ({ text, pages, name: title?.name }));
        current = await indexAll(again, signal, {});
      }
    }
  };

  return {
    index,
    indexQuick: (texts, signal) => indexAll(texts, signal, { isPatient: true }),
    checkText: (text) => void checkedText(text, maxDocumentBytes),
    isQuick: ({ text }) => isShort(text) && liveIndexes().every(isCheap),
    async read(source, signal, onProgress) {
      const text = await readSource(
        { blobs: store.blobs, fetchUrl, fetchPage, parser, maxDocumentBytes },
        source,
        signal,
      );
      onProgress?.({ pages: text.pages.length, chunks: 0, embedded: 0 });
      return text;
    },
    publish: (document, indexed, signal, textWaits = false) =>
      withLiveIndexes([indexed], signal, async ([current = indexed]) => {
        // A name is used once: rows of an attempt that failed may still have to be removed.
        const takesPending = textWaits && document.revision === null && document.attempts === 0;
        const publication = toPublication(document, current, takesPending ? document.id : Bun.randomUUIDv7());
        await store.documents.publish(publication.document, publication.text, publication.snippets);
        return publication.document;
      }),
    publishNew: (documents, indexed, signal) =>
      withLiveIndexes(indexed, signal, async (current) => {
        const publications = current.map((one, at) =>
          toPublication(documents[at] as DocumentRecord, one, Bun.randomUUIDv7()),
        );
        await store.documents.publishNew(publications);
        return publications.map(({ document }) => document);
      }),
  };
};
