import type { DocumentRecord } from "../../src/domain/records.ts";
import { createEmbedder, type Embedder, type EmbedderOptions } from "../../src/embedder/embedder.ts";
import { createPipeline } from "../../src/ingest/prepare/pipeline.ts";
import type { Store } from "../../src/store/contract.ts";
import { createScriptedEmbeddings, type ScriptedEmbeddings } from "../documents/scripted-embeddings.ts";
import { silentLog } from "../store/open-temporary-store.ts";
import { until } from "../until.ts";

const never = new AbortController().signal;

/** The embedder and the ingest of one process. */
export interface OpenEmbedder {
  embedder: Embedder;
  builtin: ScriptedEmbeddings;
  publish(document: DocumentRecord, text: string, pages?: { page: number; start: number }[]): Promise<DocumentRecord>;
  /** Waits until nothing is built and nothing is lacking. */
  settled(): Promise<void>;
}

/** A model by name, apart from the built-in static one. */
export const scriptedModel = (model: string): ScriptedEmbeddings =>
  Object.assign(createScriptedEmbeddings(), { provider: "ollama", model });

export const openEmbedder = async (
  store: Store,
  options: Partial<Pick<EmbedderOptions, "configured" | "analysisVersion" | "isBusy" | "isOptional">> &
    Partial<Pick<EmbedderOptions, "makeFormerModel">> = {},
): Promise<OpenEmbedder> => {
  const builtin = createScriptedEmbeddings();
  const embedder = await createEmbedder({
    store,
    builtin,
    configured: null,
    isOptional: false,
    dimensions: null,
    analysisVersion: 1,
    makeFormerModel: async () => null,
    isBusy: () => false,
    log: silentLog,
    ...options,
  });
  const pipeline = createPipeline({
    store,
    fetchUrl: () => Promise.reject(new Error("nothing is fetched here")),
    parser: { parse: () => Promise.reject(new Error("nothing is parsed here")) },
    embeddingFor: embedder.ingestModelFor,
    onPublished: embedder.documentsChanged,
    maxDocumentBytes: 100_000_000,
    log: silentLog,
  });
  return {
    embedder,
    builtin,
    publish: async (document, text, pages = []) =>
      pipeline.publish(document, await pipeline.index({ text, pages }, never), never),
    settled: () =>
      until(async () => {
        const { building, pending } = await embedder.status();
        return building === null && pending === 0;
      }, "the embedder settles"),
  };
};
