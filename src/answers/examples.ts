import { documentExample } from "../documents/schema.ts";

/** What the API page shows; tests hold these against the schemas. */

export const snippetExample = {
  metadata: {
    id: "0197a1c2-61f0-7b1e-8c55-90d3e7a4b612",
    documentUploadId: documentExample.id,
    content: "In winter the reading room opens at nine.",
    _distance: 0.31,
    page: 2,
    headings: ["Opening hours"],
    columns: [],
    start: 1204,
    end: 1245,
  },
};

export const receiptExample = {
  id: "0197a1c2-7d02-7c44-9a0e-1f6b52d0c3aa",
  asked: { kind: "question" as const, question: "When does the reading room open in winter?" },
  certainty: "sure" as const,
  computed: null,
  searched: { documents: 14, snippets: 322, text: 58, vectors: 100 },
  understood: "When does the reading room open in winter?",
  followUp: null,
  confidence: 0.97,
  refusedAbove: 0.93,
  kept: 1,
  dropped: [{ reason: "not_relevant", count: 94 }],
  context: { limit: 131_072, used: 12 },
  model: { provider: "builtin", name: "quotes" },
  support: null,
  timings: { retrievalMs: 6.2, answerMs: 0.8, totalMs: 7 },
  warnings: [],
};

export const answerExample = {
  request: { query: "When does the reading room open in winter?", numberOfDocumentsInContext: "6" },
  response: {
    answer: "In winter the reading room opens at nine. [1]",
    relevantDocuments: [{ ...documentExample, originalText: null }],
    relevantSnippets: [snippetExample],
    receipt: receiptExample,
  },
};

export const searchExample = {
  request: { query: "opening hours winter" },
  response: {
    ...answerExample.response,
    answer: null,
    receipt: { ...receiptExample, context: { limit: null, used: 0 }, model: null },
  },
};
