import type { IndexInfo } from "../../domain/records.ts";
import { IndexesChangedError } from "../../store/contract.ts";
import { isSmallText, type TextToAnalyze } from "../index/analyzed-text.ts";
import { type IndexedText, indexTexts } from "../index/index-text.ts";
import type { IndexOptions, PipelineOptions, Progress } from "./contract.ts";

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

export const createLiveIndexing = ({
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
