import type { EmbeddingModel } from "../../providers/contract.ts";
import type { DocumentRecord, IndexInfo, SnippetRecord } from "../domain/records.ts";
import { analyzeOnThread } from "../ingest/index/analysis-thread.ts";
import { labelTerms, titleTermsOf } from "../ingest/index/analyzed-text.ts";
import { pagesOf, snippetMaker } from "../ingest/index/publication.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { embeddingInput } from "../text/chunk/chunk.ts";
import { groupsOf } from "./fill-set.ts";
import { type KnownModels, nameOf } from "./known-models.ts";

interface IndexUpkeepOptions {
  store: Pick<Store, "documents" | "indexes">;
  builtin: EmbeddingModel;
  models: KnownModels;
  /** Of this program (src/text/analysis/analyze.ts). */
  analysisVersion: number;
  /** True while requests are answered. */
  isBusy(): boolean;
  log: Logger;
}

/** Keeps the search index as this program makes it: vectors of the built-in static model, terms of its analysis. */
export interface IndexUpkeep {
  /** Documents in the new index and in all, while one is built; null if none is needed. */
  progress(): Promise<{ done: number; total: number } | null>;
  /** Replaces an index of another analysis by one that is made anew. @throws the signal's reason */
  settle(signal: AbortSignal): Promise<void>;
}

export const createIndexUpkeep = (options: IndexUpkeepOptions): IndexUpkeep => {
  const { store, builtin, models, analysisVersion, isBusy, log } = options;
  const { indexes } = store;
  let progress: { done: number; total: number } | null = null;
  let isWorking = false;

  const isAsWanted = (index: IndexInfo): boolean =>
    models.isBuiltin(index) && index.analysisVersion === analysisVersion;

  const begin = async (signal: AbortSignal): Promise<IndexInfo> => {
    const { provider, model, revision } = builtin;
    const dimensions = await builtin.dimensions(signal);
    return await indexes.begin({ provider, model, modelRevision: revision ?? "", dimensions, analysisVersion });
  };

  const replace = async (signal: AbortSignal): Promise<void> => {
    const old = indexes.active();
    const building = await begin(signal);
    log.info({ from: nameOf(old), to: nameOf(building) }, "building the search index anew");
    const onProgress = (done: number, total: number) => {
      progress = { done, total };
    };
    await rebuildIndex({ store, building, model: builtin, isBusy, onProgress }, signal);
    models.forget(old);
    log.info({ documents: progress?.total }, "the search index is built anew");
  };

  return {
    async progress() {
      if (!isWorking && isAsWanted(indexes.active())) return null;
      return progress ?? (await indexes.missing(0));
    },
    async settle(signal) {
      isWorking = !isAsWanted(indexes.active()) || (await indexes.lacksVectors());
      if (isWorking) await replace(signal);
      else if (indexes.building() !== null) await indexes.abandon();
      isWorking = false;
      progress = null;
    },
  };
};

/** Documents looked up at a time. */
const pageSize = 128;
/** Snippets that are written together: small documents share a commit. */
const groupSnippets = 128;
/** While requests are answered, the rebuild pauses for as long as it worked, but no longer than this. */
const maxPauseMs = 250;

interface RebuildOptions {
  store: Pick<Store, "documents" | "indexes">;
  /** The index being built, and the built-in model. */
  building: IndexInfo;
  model: EmbeddingModel;
  /** True while requests are answered. */
  isBusy(): boolean;
  onProgress(done: number, total: number): void;
}

type OldSnippet = SnippetRecord & { vector: Float32Array | null };

/** A document's snippets for the new index. */
interface Work {
  document: DocumentRecord;
  snippets: SnippetRecord[];
}

/**
 * Fills the index being built from what the store holds, oldest document first, and makes it the active one. Continues
 * where an earlier run stopped; keeps no more than a few dozen snippets and one document in memory.
 * @throws the signal's reason: what was filled stays filled
 */
const rebuildIndex = async (options: RebuildOptions, signal: AbortSignal): Promise<void> => {
  const { indexes } = options.store;
  for (;;) {
    const { documents, done, total } = await indexes.missing(pageSize);
    options.onProgress(done, total);
    // Documents added since then are found in the next round.
    if (documents.length === 0 && (await indexes.promote())) return;
    let filled = 0;
    for (const group of groupsOf(documents, () => groupSnippets)) {
      signal.throwIfAborted();
      const began = performance.now();
      await fill(await workOn(group, options, signal), options, signal);
      filled += group.length;
      options.onProgress(Math.min(done + filled, total), total);
      if (options.isBusy()) await Bun.sleep(Math.min(performance.now() - began, maxPauseMs));
    }
  }
};

/** For a document that was replaced or removed meanwhile it finds too little; the store then accepts none of it. */
const workOn = async (
  group: readonly DocumentRecord[],
  { store, building }: RebuildOptions,
  signal: AbortSignal,
): Promise<Work[]> => {
  const held = await store.indexes.snippetsOf(group);
  const active = store.indexes.active();
  const isCutAlike = active.analysisVersion === building.analysisVersion;
  const texts = isCutAlike ? new Map<string, string>() : await store.documents.getTexts(group);
  const work: Work[] = [];
  for (const document of group) {
    const old: OldSnippet[] = held.get(document.id) ?? [];
    const text = texts.get(document.id);
    work.push({ document, snippets: text === undefined ? old : await cutAgain(document, text, old, signal) });
  }
  return work;
};

const cutAgain = async (
  document: DocumentRecord,
  text: string,
  old: readonly OldSnippet[],
  signal: AbortSignal,
): Promise<SnippetRecord[]> => {
  const [analyzed] = await analyzeOnThread([{ text, pages: pagesOf(old), name: document.name }], "background", signal);
  const titleTerms = titleTermsOf(labelTerms(document, analyzed?.title?.terms), analyzed?.coverTerms ?? "");
  return (analyzed?.chunks ?? []).map(snippetMaker(document, document.revision ?? "", titleTerms));
};

const fill = async (
  group: readonly Work[],
  { store, building, model }: RebuildOptions,
  signal: AbortSignal,
): Promise<void> => {
  const inputs = group.flatMap(({ snippets }) => snippets.map(embeddingInput));
  const vectors = await model.embed(inputs, "document", signal);
  let next = 0;
  const filled = group.map(({ document, snippets }) => {
    const made = snippets.map((snippet) => ({
      ...snippet,
      vectors: new Map([[building.id, vectors[next++] ?? null]]),
    }));
    return store.indexes.fill(document, made);
  });
  await Promise.all(filled);
};
