import type { Candidate } from "../../src/retrieval/scores/candidates.ts";
import type { SnippetHit } from "../../src/store/contract.ts";

/** A hit that differs from others by what a test says. Its terms are its text. */
export const sampleHit = (id: string, { text = `text of ${id}`, ...change }: Partial<SnippetHit> = {}): SnippetHit => ({
  id,
  organizationId: "o",
  documentId: `document of ${id}`,
  partitionId: null,
  revision: "r",
  position: 0,
  text,
  context: "",
  headings: [],
  page: null,
  start: 0,
  end: text.length,
  terms: text,
  headingTerms: "",
  titleTerms: "",
  textScore: null,
  vector: null,
  modelVector: null,
  ...change,
});

/** A candidate without scores but those that a test says. */
export const sampleCandidate = (hit: SnippetHit, change: Partial<Candidate> = {}): Candidate => ({
  text: 0,
  naming: 0,
  coverage: 0,
  cosine: null,
  modelCosine: null,
  isFoundByModelAlone: false,
  ...change,
  hit,
});
