import { dot } from "../../../src/domain/dot.ts";
import type { IndexInfo, SnippetRecord, VectorSetInfo } from "../../../src/domain/records.ts";
import { mean } from "../../../src/evaluation/estimates.ts";
import type { SnippetHit, SnippetView } from "../../../src/store/contract.ts";
import { bm25, inverseDocumentFrequency, textLength } from "../../../src/text/bm25.ts";
import { similarTermsIn } from "../../../src/text/spelling.ts";

const { k1, b } = bm25;

export interface MemorySnippet extends SnippetRecord {
  vector: Float32Array;
  modelVector: Float32Array | null;
}

/** Full text over one field: BM25 by an inverted index. */
const createField = (texts: readonly string[]) => {
  const postings = new Map<string, Map<number, number>>();
  const lengths = texts.map((text, index) => {
    const terms = text === "" ? [] : text.split(" ");
    for (const term of terms) {
      const known = postings.get(term) ?? new Map<number, number>();
      known.set(index, (known.get(index) ?? 0) + 1);
      postings.set(term, known);
    }
    return terms.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  return {
    count: (term: string): number => postings.get(term)?.size ?? 0,
    *counted(): Generator<[string, number], void, void> {
      for (const [term, found] of postings) yield [term, found.size];
    },
    add(scores: Float64Array, term: string, weight: number) {
      const found = postings.get(term);
      if (found === undefined) return;
      const idf = inverseDocumentFrequency(texts.length, found.size);
      for (const [index, frequency] of found) {
        const norm = k1 * (1 - b + (b * (lengths[index] ?? 0)) / average);
        scores[index] = (scores[index] ?? 0) + (weight * idf * (k1 + 1) * frequency) / (frequency + norm);
      }
    },
  };
};

/**
 * A view of snippets in memory that answers as the store does, for experiments that need no LanceDB: the same BM25,
 * exact nearest neighbors.
 * @param hasModelVector whether a snippet has its vector of the model yet, by its place
 */
export const createMemoryView = (
  snippets: readonly MemorySnippet[],
  index: IndexInfo,
  vectorSet: VectorSetInfo | null,
  hasModelVector: (at: number) => boolean,
): SnippetView => {
  const fields = {
    terms: createField(snippets.map(({ terms }) => terms)),
    titles: createField(snippets.map(({ titleTerms }) => titleTerms)),
    headings: createField(snippets.map(({ headingTerms }) => headingTerms)),
  };
  const lengths = {
    characters: mean(snippets.map(textLength.characters)),
    terms: mean(snippets.map(textLength.terms)),
  };
  const modelVectorAt = (at: number): Float32Array | null =>
    vectorSet !== null && hasModelVector(at) ? (snippets[at]?.modelVector ?? null) : null;
  const place = new Map(snippets.map(({ id }, at) => [id, at]));
  const hit = (at: number, textScore: number | null): SnippetHit => ({
    ...(snippets[at] as MemorySnippet),
    textScore,
    modelVector: modelVectorAt(at),
  });
  const best = (scores: Float64Array, limit: number, least: number): number[] =>
    [...scores.keys()]
      .filter((at) => (scores[at] ?? 0) > least)
      .sort((a, z) => (scores[z] ?? 0) - (scores[a] ?? 0))
      .slice(0, limit);
  return {
    index,
    vectorSet,
    async searchText(_tenant, _scope, terms, { limit, titleWeight, headingWeight }) {
      const scores = new Float64Array(snippets.length);
      for (const { term, weight } of terms) {
        fields.terms.add(scores, term, weight);
        fields.titles.add(scores, term, weight * titleWeight);
        fields.headings.add(scores, term, weight * headingWeight);
      }
      return best(scores, limit, 0).map((at) => hit(at, scores[at] ?? 0));
    },
    async searchVectors(_tenant, _scope, vector, limit) {
      const scores = Float64Array.from(snippets, (snippet) => dot(vector, snippet.vector));
      return best(scores, limit, -2).map((at) => hit(at, null));
    },
    async searchModelVectors(_tenant, _scope, vector, limit) {
      const scores = Float64Array.from(snippets, (_, at) => {
        const own = modelVectorAt(at);
        return own === null ? -3 : dot(vector, own);
      });
      return best(scores, limit, -2).map((at) => hit(at, null));
    },
    async addModelVectors(hits) {
      return hits.map((found) => ({ ...found, modelVector: modelVectorAt(place.get(found.id) ?? -1) }));
    },
    async sample(_tenant, limit) {
      const step = Math.max(1, Math.floor(snippets.length / limit));
      return snippets
        .map((_, at) => at)
        .filter((at) => at % step === 0)
        .slice(0, limit)
        .map((at) => hit(at, null));
    },
    async neighbors(_tenant, documentId, from, to) {
      return snippets.filter(
        (snippet) => snippet.documentId === documentId && snippet.position >= from && snippet.position <= to,
      );
    },
    async similarTerms(_tenant, forms, errors) {
      return similarTermsIn([...fields.terms.counted(), ...fields.titles.counted()], forms, errors);
    },
    async documentFrequencies(_tenant, terms) {
      return {
        snippets: snippets.length,
        counts: new Map(terms.map((term) => [term, fields.terms.count(term)])),
        titles: new Map(terms.map((term) => [term, fields.titles.count(term)])),
        lengths,
      };
    },
    async count() {
      return { snippets: snippets.length, documents: new Set(snippets.map(({ documentId }) => documentId)).size };
    },
    close() {},
  };
};
