import { join } from "node:path";
import type { EmbeddingModel } from "../../../providers/contract.ts";
import type { Tenant } from "../../../src/domain/records.ts";
import { analyzeText } from "../../../src/ingest/index/analyzed-text.ts";
import { toSnippets } from "../../../src/ingest/index/publication.ts";
import { createRetriever } from "../../../src/retrieval/retrieve.ts";
import { openStore } from "../../../src/store/open.ts";
import { analysisVersion, analyzeQuery } from "../../../src/text/analysis/analyze.ts";
import { embeddingInput } from "../../../src/text/chunk/chunk.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";
import { requestFor, silent } from "../../../tools/samples/snippets.ts";
import type { LongSet } from "./read-set.ts";

/** Plain BM25 over the text of the snippets with the document's name as text in front of it, or Carrel's search. */
export type Legs = "bm25" | "fused";

export interface OpenedSet {
  /** Best first, at most ten. */
  search(query: string, legs: Legs): Promise<{ file: string; page: number | null }[]>;
  close(): Promise<void>;
}

const forever = new AbortController().signal;
const limit = 10;

/** Cuts, indexes and publishes the documents of a set as the server does, unless the folder of the data holds them. */
export const openLongSet = async (set: LongSet, dataDir: string, model: EmbeddingModel): Promise<OpenedSet> => {
  const dimensions = await model.dimensions(forever);
  const index = { provider: model.provider, model: model.model, dimensions, analysisVersion };
  const store = await openStore({ dataDir, index, log: silent, syncWrites: false });
  const { id: organizationId } = await store.organizations.upsert("default");
  const tenant: Tenant = { organizationId, partitionId: null };
  const names = Bun.file(join(dataDir, "files.json"));
  const fileOf = new Map<string, string>((await names.exists()) ? await names.json() : []);
  for (const { file, text, pages } of fileOf.size > 0 ? [] : set.documents) {
    const record = sampleDocument({ organizationId, name: file });
    fileOf.set(record.id, file);
    const { chunks, title, coverTerms } = await analyzeText({ text, pages, name: file }, forever);
    const vectors = await model.embed(
      chunks.map(({ chunk }) => embeddingInput(chunk)),
      "document",
      forever,
    );
    const indexed = chunks.map((chunk, at) => ({
      ...chunk,
      vectors: new Map([[store.indexes.active().id, vectors[at] ?? null]]),
    }));
    await store.documents.publish(
      record,
      text,
      toSnippets(record, record.revision, {
        chunks: indexed,
        title,
        coverTerms,
      }),
    );
  }
  await Bun.write(names, JSON.stringify([...fileOf]));
  const retrieve = createRetriever({
    store,
    embeddings: () => model,
    vectorModelFor: () => null,
    refusalThreshold: 0,
    log: silent,
  });
  const scope = { documentId: null, partitionId: null, metadata: null };
  return {
    async search(query, legs) {
      if (legs === "fused") {
        const { snippets } = await retrieve(tenant, requestFor(query, { limit }), forever);
        return snippets.map(({ documentId, page }) => ({ file: fileOf.get(documentId) ?? "", page }));
      }
      const view = store.openSnippets();
      try {
        const { terms } = analyzeQuery(query);
        const hits = await view.searchText(tenant, scope, terms, { limit, titleWeight: 0, headingWeight: 0 });
        return hits.map(({ documentId, page }) => ({ file: fileOf.get(documentId) ?? "", page }));
      } finally {
        view.close();
      }
    },
    close: () => store.close(),
  };
};
