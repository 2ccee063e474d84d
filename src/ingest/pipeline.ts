import type { EmbeddingModel, FileParser } from "../../providers/contract.ts";
import type { Logger } from "../dependencies.ts";
import { IndexesChangedError, type Store } from "../store/contract.ts";
import type { DocumentRecord, IndexInfo } from "../store/records.ts";
import { isShort } from "./analysed-text.ts";
import { isCheap } from "./embed-texts.ts";
import { createEmbeddingCache } from "./embedding-cache.ts";
import type { FetchUrl } from "./fetch/fetcher.ts";
import { createHeldVectors, type TextOwner } from "./held-vectors.ts";
import { type IndexedText, indexText, toSnippets } from "./index-text.ts";
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

/** The steps from a source to a document that can be found. None but `publish` changes the store. */
export interface IngestPipeline {
  /**
   * Fetches and parses. Bytes fetched from an address are kept as a blob, which is the caller's to release.
   * @throws ApiError, ProviderError, the signal's reason
   */
  read(source: Source, signal: AbortSignal, onProgress?: (progress: Progress) => void): Promise<ReadText>;
  /**
   * Cuts, analyses and embeds, for every live index. Of what the owner of the text holds already nothing is embedded
   * again.
   * @throws ProviderError, the signal's reason
   */
  index(
    text: Pick<ReadText, "text" | "pages">,
    signal: AbortSignal,
    onProgress?: (progress: Progress) => void,
    owner?: TextOwner,
  ): Promise<IndexedText>;
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
}

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

  const index: IngestPipeline["index"] = async ({ text, pages }, signal, onProgress, owner) => {
    await options.beforeIndexing?.(signal);
    const prepared = store.documents.announce();
    try {
      const live = liveIndexes();
      let progress = { pages: pages.length, chunks: 0, embedded: 0 };
      const report = (change: Partial<Progress>) => {
        progress = { ...progress, ...change };
        onProgress?.(progress);
      };
      return await indexText(
        text,
        pages,
        live.map((index) => ({ index, model: embeddingFor(index) })),
        {
          cache,
          held: owner && createHeldVectors(store, text, owner),
          signal,
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

  const publishOnce = async (
    document: DocumentRecord,
    indexed: IndexedText,
    textWaits: boolean,
  ): Promise<DocumentRecord> => {
    // A name is used once: rows of an attempt that failed may still have to be removed.
    const takesPending = textWaits && document.revision === null && document.attempts === 0;
    const revision = takesPending ? document.id : Bun.randomUUIDv7();
    const chunks = indexed.chunks.length;
    const published: DocumentRecord = {
      ...document,
      revision,
      status: "processed",
      error: null,
      tokens: indexed.tokens,
      textHash: indexed.textHash,
      updatedAt: Date.now(),
      attempts: 0,
      nextAttemptAt: null,
      progress: { pages: indexed.pages.length, chunks, embedded: chunks },
    };
    await store.documents.publish(published, indexed.text, toSnippets(published, revision, indexed));
    return published;
  };

  return {
    index,
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
    async publish(document, indexed, signal, textWaits = false) {
      for (let current = indexed, tries = 1; ; tries++) {
        try {
          return await publishOnce(document, current, textWaits);
        } catch (error) {
          if (!(error instanceof IndexesChangedError) || tries === MOST_PUBLISH_TRIES) throw error;
          current = await index(indexed, signal);
        }
      }
    },
  };
};
