import type { IndexInfo } from "../../domain/records.ts";
import { IndexesChangedError } from "../../store/contract.ts";
import { isSmallText, type TextToAnalyze } from "../index/analyzed-text.ts";
import { type IndexedText, indexTexts } from "../index/index-text.ts";
import { toPublication } from "../index/publication.ts";
import type { IndexOptions, IngestPipeline, PipelineOptions, Progress } from "./contract.ts";
import { checkedText, readSource } from "./source.ts";

const maxPublishAttempts = 3;

export const createPipeline = (options: PipelineOptions): IngestPipeline => {
  const { store, fetchUrl, fetchPage, parser, embeddingFor, onPublished, maxDocumentBytes } = options;

  /** The search indexes that are live: the active one and, during a change, the one being built. */
  const liveIndexes = (): IndexInfo[] => {
    const building = store.indexes.building();
    return [store.indexes.active(), ...(building === null ? [] : [building])];
  };

  const indexAll = async (
    texts: readonly TextToAnalyze[],
    signal: AbortSignal,
    { onProgress, urgency = "interactive" }: IndexOptions = {},
  ): Promise<IndexedText[]> => {
    // Long ones take longer to analyze than others wait for them.
    const areSmall = texts.every(({ text }) => isSmallText(text));
    const endAnnouncement = areSmall ? store.documents.announce() : null;
    try {
      let progress = { pages: texts.reduce((sum, { pages }) => sum + pages.length, 0), chunks: 0, embedded: 0 };
      const report = (change: Partial<Progress>) => {
        progress = { ...progress, ...change };
        onProgress?.(progress, null);
      };
      return await indexTexts(
        texts,
        liveIndexes().map((index) => ({ index, model: embeddingFor(index) })),
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

  /** Publishes indexed texts; indexes them again where the live indexes were changed since then. */
  const publishCurrent = async <T>(
    indexed: readonly IndexedText[],
    signal: AbortSignal,
    publish: (current: readonly IndexedText[]) => Promise<T>,
  ): Promise<T> => {
    for (let current = indexed, attempt = 1; ; attempt++) {
      try {
        const published = await publish(current);
        onPublished?.();
        return published;
      } catch (error) {
        if (!(error instanceof IndexesChangedError) || attempt === maxPublishAttempts) throw error;
        const texts = indexed.map(({ text, pages, title }) => ({ text, pages, name: title?.name }));
        current = await indexAll(texts, signal);
      }
    }
  };

  return {
    async index(text, signal, indexOptions) {
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
      publishCurrent([indexed], signal, async ([current = indexed]) => {
        // The store keeps a pending text under the document's id: a revision of that name need not write it again. Only
        // the first attempt may use it, since rows of a failed attempt may not be removed yet.
        const takesPendingText = isPendingText && document.revision === null && document.attempts === 0;
        const publication = toPublication(document, current, takesPendingText ? document.id : Bun.randomUUIDv7());
        await store.documents.publish(publication.document, publication.text, publication.snippets);
        return publication.document;
      }),
    publishNew: (documents, indexed, signal, areImported = false) =>
      publishCurrent(indexed, signal, async (current) => {
        const publications = documents.map((document, at) =>
          toPublication(
            document,
            current[at] as IndexedText,
            Bun.randomUUIDv7(),
            areImported ? document.updatedAt : undefined,
          ),
        );
        const [first] = publications;
        if (areImported && first !== undefined && first.document.blobHash !== null)
          await store.documents.publish(first.document, first.text, first.snippets);
        else await store.documents.publishNew(publications);
        return publications.map(({ document }) => document);
      }),
  };
};
