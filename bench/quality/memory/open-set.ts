import type { EmbeddingModel } from "../../../providers/contract.ts";
import type { IndexInfo, Tenant, VectorSetInfo } from "../../../src/domain/records.ts";
import type { FoundPiece } from "../../../src/evaluation/collection.ts";
import type { EvaluationSet } from "../../../src/evaluation/sets.ts";
import type { Turns } from "../../../src/retrieval/conversation-terms.ts";
import { createRetriever } from "../../../src/retrieval/retrieve.ts";
import type { SnippetView } from "../../../src/store/contract.ts";
import { analysisVersion } from "../../../src/text/analysis/analyze.ts";
import { embeddingInput } from "../../../src/text/chunk/chunk.ts";
import { requestFor, silent } from "../../../tools/samples/snippets.ts";
import { plainTerms } from "./plain-terms.ts";
import { snippetsOfSet } from "./snippets-of-set.ts";
import { embedCached } from "./vector-cache.ts";
import { createMemoryView, type MemorySnippet } from "./view.ts";

export interface Models {
  /** The built-in static model. */
  index: EmbeddingModel;
  /** The configured one beside it; null if there is none. */
  model: EmbeddingModel | null;
}

/** A piece with its fused score, 0 to 1; 0 by plain words. */
export interface ScoredPiece extends FoundPiece {
  score: number;
}

/** A search: the pieces found, best first. @param history the turns before the question; plain words ignore them */
export type Search = (question: string, history?: Turns) => Promise<ScoredPiece[]>;

export interface OpenSet {
  /** BM25 over plain words. */
  plain: Search;
  /** Full text by itself. */
  text: Search;
  /** The fusion, where a part of the documents has vectors of the model, 0 to 1. */
  fused(share: number): Search;
}

const forever = new AbortController().signal;
const tenant: Tenant = { organizationId: "bench", partitionId: null };
const scope = { documentId: null, partitionId: null, metadata: null };

/** Gives the same document the same place among those that get vectors first, whatever the share. */
const placeOf = (documentId: string): number => Number(Bun.hash.crc32(`place of ${documentId}`)) / 2 ** 32;

/** A set in memory, with the vectors of both models from a folder. */
export const openSet = async (set: EvaluationSet, { index, model }: Models, cache: string): Promise<OpenSet> => {
  const records = await snippetsOfSet(set);
  const inputs = records.map(embeddingInput);
  const questions = set.questions.map(({ text }) => text);
  const indexVectors = await embedCached(cache, set.name, index, inputs, "document");
  const modelVectors = model === null ? [] : await embedCached(cache, set.name, model, inputs, "document");
  const asked = model === null ? [] : await embedCached(cache, set.name, model, questions, "query");
  const vectorOfQuestion = new Map(questions.map((text, at) => [text, asked[at] as Float32Array]));
  const snippets: MemorySnippet[] = records.map((record, at) => ({
    ...record,
    vector: indexVectors[at] as Float32Array,
    modelVector: modelVectors[at] ?? null,
  }));
  const known: EmbeddingModel | null = model && {
    ...model,
    embed: async (texts, kind, signal) => {
      const found = texts.flatMap((text) => vectorOfQuestion.get(text) ?? []);
      return found.length === texts.length ? found : await model.embed(texts, kind, signal);
    },
  };
  const info: IndexInfo & VectorSetInfo = {
    id: "bench",
    provider: index.provider,
    model: index.model,
    dimensions: 0,
    modelRevision: "",
    analysisVersion,
    state: "active",
    createdAt: 0,
  };
  const retrieverOver = (view: SnippetView, byIndex: EmbeddingModel | null): Search => {
    const retrieve = createRetriever({
      store: { openSnippets: () => view },
      embeddings: () => byIndex,
      vectorModelFor: () => known,
      refusalThreshold: 0,
      log: silent,
    });
    return async (question, history = []) => {
      const request = requestFor(question, { history, limit: set.snippets });
      const found = await retrieve(tenant, request, forever);
      return found.snippets.map(({ documentId, start, end, score }) => ({ document: documentId, start, end, score }));
    };
  };
  const views = new Map<number, SnippetView>();
  const viewAt = (share: number): SnippetView => {
    const has = (at: number): boolean => placeOf(snippets[at]?.documentId ?? "") < share;
    const view = views.get(share) ?? createMemoryView(snippets, info, share > 0 ? info : null, has);
    views.set(share, view);
    return view;
  };
  const titles = new Map(set.documents.map(({ id, title }) => [id, title]));
  const plainView = createMemoryView(
    snippets.map((snippet) => {
      const { documentId, headings, text } = snippet;
      const terms = plainTerms([titles.get(documentId), ...headings, text].join("\n")).join(" ");
      return { ...snippet, terms, titleTerms: "", headingTerms: "" };
    }),
    info,
    null,
    () => false,
  );
  return {
    async plain(question) {
      const terms = plainTerms(question).map((term) => ({ term, weight: 1 }));
      const options = { limit: set.snippets, titleWeight: 0, headingWeight: 0 };
      const hits = await plainView.searchText(tenant, scope, terms, options);
      return hits.map(({ documentId, start, end }) => ({ document: documentId, start, end, score: 0 }));
    },
    text: retrieverOver(viewAt(0), null),
    fused: (share) => retrieverOver(viewAt(share), index),
  };
};
