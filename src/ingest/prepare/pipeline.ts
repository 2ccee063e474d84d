import type { DocumentRecord, IndexInfo } from "../../domain/records.ts";
import { IndexesChangedError } from "../../store/contract.ts";
import { isSmallText, type TextToAnalyze } from "../index/analyzed-text.ts";
import { type IndexedText, indexTexts } from "../index/index-text.ts";
import { toPublication } from "../index/publication.ts";
import type { IndexOptions, IngestPipeline, PipelineOptions, Progress } from "./contract.ts";
import { checkedText, readSource } from "./source.ts";

/** Indexes texts for the search indexes that are live: the active one and, during a change, the one being built. */
interface LiveIndexing {
  indexAll(texts: readonly TextToAnalyze[], signal: AbortSignal, options: IndexOptions): Promise<IndexedText[]>;
  /** Publishes indexed texts; indexes them again where the live indexes were changed since then. */
  withLiveIndexes<T>(
    indexed: readonly IndexedText[],
    signal: AbortSignal,
    publish: (indexed: readonly IndexedText[]) => Promise<T>,
  ): Promise<T>;
}

const maxPublishAttempts = 3;

const createLiveIndexing = ({
  store,
  embeddingFor,
  onPublished,
}: Pick<PipelineOptions, "store" | "embeddingFor" | "onPublished">): LiveIndexing => {
  const liveIndexes = (): IndexInfo[] => {
    const building = store.indexes.building();
    return [store.indexes.active(), ...(building === null ? [] : [building])];
  };

  const indexAll: LiveIndexing["indexAll"] = async (texts, signal, { onProgress, urgency = "interactive" }) => {
    // Long ones take longer to analyze than others wait for them.
    const areSmall = texts.every(({ text }) => isSmallText(text));
    const endAnnouncement = areSmall ? store.documents.announce() : null;
    try {
      const live = liveIndexes();
      let progress = { pages: texts.reduce((sum, { pages }) => sum + pages.length, 0), chunks: 0, embedded: 0 };
      const report = (change: Partial<Progress>) => {
        progress = { ...progress, ...change };
        onProgress?.(progress, null);
      };
      return await indexTexts(
        texts,
        live.map((index) => ({ index, model: embeddingFor(index) })),
        {
          signal,
          urgency,
          onChunks: (chunks) => report({ chunks }),
          onProgress: (embedded) => report({ embedded }),
        },
      );
    } finally {
      endAnnouncement?.();
    }
  };

  const withLiveIndexes: LiveIndexing["withLiveIndexes"] = async (indexed, signal, publish) => {
    for (let current = indexed, attempt = 1; ; attempt++) {
      try {
        const published = await publish(current);
        onPublished?.();
        return published;
      } catch (error) {
        if (!(error instanceof IndexesChangedError) || attempt === maxPublishAttempts) throw error;
        const texts = indexed.map(({ text, pages, title }) => ({ text, pages, name: title?.name }));
        current = await indexAll(texts, signal, {});
      }
    }
  };

  return { indexAll, withLiveIndexes };
};

export const createPipeline = (options: PipelineOptions): IngestPipeline => {
  const { store, fetchUrl, fetchPage, parser, maxDocumentBytes } = options;

  const { indexAll, withLiveIndexes } = createLiveIndexing(options);

  return {
    async index(text, signal, indexOptions = {}) {
      const [indexed] = await indexAll([text], signal, indexOptions);
      return indexed as IndexedText;
    },
    indexTogether: (texts, urgency, signal) => indexAll(texts, signal, { urgency }),
    checkText: (text) => void checkedText(text, maxDocumentBytes),
    sizeOf: ({ text }) => (isSmallText(text) ? "small" : "large"),
    async read(source, signal, onProgress) {
      const dependencies = { blobs: store.blobs, fetchUrl, fetchPage, parser, maxDocumentBytes };
      const text = await readSource(dependencies, source, signal, (reached) =>
        onProgress?.({ pages: reached.page - 1, chunks: 0, embedded: 0 }, reached),
      );
      onProgress?.({ pages: text.pages.length, chunks: 0, embedded: 0 }, null);
      return text;
    },
    publish: (document, indexed, signal, isPendingText = false) =>
      withLiveIndexes([indexed], signal, async ([current = indexed]) => {
        // The store keeps a pending text under the document's id: a revision of that name need not write it again. Only
        // the first attempt may use it, since rows of a failed attempt may not be removed yet.
        const takesPendingText = isPendingText && document.revision === null && document.attempts === 0;
        const publication = toPublication(document, current, takesPendingText ? document.id : Bun.randomUUIDv7());
        await store.documents.publish(publication.document, publication.text, publication.snippets);
        return publication.document;
      }),
    publishNew: (documents, indexed, signal) =>
      withLiveIndexes(indexed, signal, async (current) => {
        const publications = current.map((text, at) =>
          toPublication(documents[at] as DocumentRecord, text, Bun.randomUUIDv7()),
        );
        await store.documents.publishNew(publications);
        return publications.map(({ document }) => document);
      }),
    publishImported: (documents, indexed, signal) =>
      withLiveIndexes(indexed, signal, async (current) => {
        const publications = current.map((text, at) => {
          const document = documents[at] as DocumentRecord;
          return toPublication(document, text, Bun.randomUUIDv7(), document.updatedAt);
        });
        const [first] = publications;
        if (first !== undefined && first.document.blobHash !== null)
          await store.documents.publish(first.document, first.text, first.snippets);
        else await store.documents.publishNew(publications);
        return publications.map(({ document }) => document);
      }),
  };
};
