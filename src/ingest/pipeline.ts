import type { DocumentRecord, IndexInfo } from "../domain/records.ts";
import { IndexesChangedError } from "../store/contract.ts";
import type { IndexOptions, IngestPipeline, PipelineOptions, Progress } from "./contract.ts";
import { isSmallText, type TextToAnalyze } from "./index/analyzed-text.ts";
import { type IndexedText, indexTexts } from "./index/index-text.ts";
import { toPublication } from "./index/publication.ts";
import { checkedText, readSource } from "./read-source.ts";

const maxPublishAttempts = 3;

export const createPipeline = (options: PipelineOptions): IngestPipeline => {
  const { store, fetchUrl, fetchPage, parser, embeddingFor, maxDocumentBytes } = options;

  const liveIndexes = (): IndexInfo[] => {
    const building = store.indexes.building();
    return [store.indexes.active(), ...(building === null ? [] : [building])];
  };

  const indexAll = async (
    texts: readonly TextToAnalyze[],
    signal: AbortSignal,
    { onProgress, urgency = "interactive" }: IndexOptions,
  ): Promise<IndexedText[]> => {
    const endAnnouncement = store.documents.announce();
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
      endAnnouncement();
    }
  };

  /** Publishes indexed texts; indexes them again where the search index was changed since then. */
  const withLiveIndexes = async <T>(
    indexed: readonly IndexedText[],
    signal: AbortSignal,
    publish: (indexed: readonly IndexedText[]) => Promise<T>,
  ): Promise<T> => {
    for (let current = indexed, attempt = 1; ; attempt++) {
      try {
        const published = await publish(current);
        options.onPublished?.();
        return published;
      } catch (error) {
        if (!(error instanceof IndexesChangedError) || attempt === maxPublishAttempts) throw error;
        const texts = indexed.map(({ text, pages, title }) => ({ text, pages, name: title?.name }));
        current = await indexAll(texts, signal, {});
      }
    }
  };

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
