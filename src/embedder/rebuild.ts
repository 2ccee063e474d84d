import type { EmbeddingModel } from "../../providers/contract.ts";
import type { DocumentRecord, IndexInfo, SnippetRecord } from "../domain/records.ts";
import { analyzeOnThread } from "../ingest/index/analysis-thread.ts";
import { labelTerms, titleTermsOf } from "../ingest/index/analyzed-text.ts";
import { pagesOf, snippetMaker } from "../ingest/index/publication.ts";
import type { Store } from "../store/contract.ts";
import { embeddingInput } from "../text/chunk/chunk.ts";
import { groupsOf } from "./fill-set.ts";

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
export const rebuildIndex = async (options: RebuildOptions, signal: AbortSignal): Promise<void> => {
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
