import { receiptExample, snippetExample } from "../answers/examples.ts";
import { chatCompletion } from "./chat-completion.ts";
import type { Head, Written } from "./format.ts";
import { response } from "./response.ts";

/** What the API page shows, without `carrel`, whose parts it shows elsewhere; tests hold these against the schemas. */

const question = "When does the reading room open in winter?";
const created = 1_795_791_217;

export const modelExample = {
  id: "carrel/house",
  object: "model" as const,
  created,
  owned_by: "carrel" as const,
  name: "Carrel: house",
};

const { id, documentUploadId: documentId, content: text, page } = snippetExample.metadata;
const head: Head = {
  id: receiptExample.id,
  model: "carrel",
  created,
  sources: "annotations",
  baseUrl: "http://127.0.0.1:7373",
};
const written: Written = {
  text: "In winter the reading room opens at nine. [1]",
  found: { snippets: [{ id, documentId, text, page, score: 1 }], documents: [{ id: documentId, name: "House rules" }] },
  promptTokens: 12,
  outputTokens: 12,
  isCut: false,
  carrel: null,
};

export const chatCompletionExample = {
  request: { model: "carrel", messages: [{ role: "user", content: question }] },
  response: chatCompletion(head, { includesUsage: false }).whole(written),
};

export const responseExample = {
  request: { model: "carrel", input: question },
  response: response(head, { instructions: null, maxOutputTokens: null }).whole(written),
};
