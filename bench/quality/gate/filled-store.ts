import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddingModel } from "../../../providers/contract.ts";
import type { NewSnippet, Tenant } from "../../../src/domain/records.ts";
import type { SourceDocument } from "../../../src/evaluation/collection.ts";
import type { SnippetHit, SnippetView } from "../../../src/store/contract.ts";
import { openStore } from "../../../src/store/open.ts";
import { analysisVersion } from "../../../src/text/analysis/analyze.ts";
import { embeddingInput } from "../../../src/text/chunk/chunk.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";
import { silent, snippetsOf } from "../../../tools/samples/snippets.ts";

const forever = new AbortController().signal;
/** Documents published at a time. */
const atOnce = 64;

/** A store of some documents, with all its snippets at hand. */
export interface FilledStore {
  view: SnippetView;
  tenant: Tenant;
  /** In a random order, always the same; with the vectors of both models. */
  snippets: readonly SnippetHit[];
  /** Ids in the store of the documents' ids in the set. */
  recordOf: ReadonlyMap<string, string>;
}

/**
 * Calls `use` with a store in a temporary folder that is filled as the server fills it.
 * @param model whose vectors stand beside the static ones; null: there is none
 */
export const withFilledStore = async <Result>(
  documents: readonly SourceDocument[],
  fixed: EmbeddingModel,
  model: EmbeddingModel | null,
  use: (store: FilledStore) => Promise<Result>,
): Promise<Result> => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-gate-"));
  const { provider } = fixed;
  const index = { provider, model: fixed.model, dimensions: await fixed.dimensions(forever), analysisVersion };
  const store = await openStore({ dataDir, index, log: silent, syncWrites: false });
  try {
    const { id: organizationId } = await store.organizations.upsert("default");
    const active = store.indexes.active().id;
    const recordOf = new Map<string, string>();
    const all: NewSnippet[] = [];
    for (let start = 0; start < documents.length; start += atOnce)
      await Promise.all(
        documents.slice(start, start + atOnce).map(async ({ id, title, text }) => {
          const record = sampleDocument({ organizationId, name: title || id });
          recordOf.set(id, record.id);
          const snippets = await snippetsOf(record, text, active, fixed);
          await store.documents.publish(record, text, snippets);
          all.push(...snippets);
        }),
      );
    all.sort((a, b) => Bun.hash.crc32(a.text) - Bun.hash.crc32(b.text));
    const byModel = model === null ? [] : await model.embed(all.map(embeddingInput), "document", forever);
    const snippets = all.map(
      (snippet, at): SnippetHit => ({
        ...snippet,
        textScore: null,
        vector: snippet.vectors.get(active) ?? null,
        modelVector: byModel[at] ?? null,
      }),
    );
    const view = store.openSnippets();
    try {
      return await use({ view, tenant: { organizationId, partitionId: null }, snippets, recordOf });
    } finally {
      view.close();
    }
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};
