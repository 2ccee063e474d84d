import { receiptExample, snippetExample } from "../answers/examples.ts";

/** What the API page shows; tests hold these against the schemas. */

const question = "When does the reading room open in winter?";
const content = "In winter the reading room opens at nine. [1]";
const created = 1_795_791_217;
const carrel = { relevantSnippets: [snippetExample], receipt: receiptExample };
const citation = {
  start_index: 42,
  end_index: 45,
  url: `http://127.0.0.1:7373/documents/${snippetExample.metadata.documentUploadId}?snippet=${snippetExample.metadata.id}`,
  title: "House rules",
};

export const modelExample = {
  id: "carrel/house",
  object: "model" as const,
  created,
  owned_by: "carrel" as const,
  name: "Carrel: house",
};

export const chatCompletionExample = {
  request: { model: "carrel", messages: [{ role: "user", content: question }] },
  response: {
    id: `chatcmpl-${receiptExample.id}`,
    object: "chat.completion",
    created,
    model: "carrel",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content,
          refusal: null,
          annotations: [{ type: "url_citation", url_citation: citation }],
        },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 12, completion_tokens: 12, total_tokens: 24 },
    carrel,
  },
};

export const responseExample = {
  request: { model: "carrel", input: question },
  response: {
    id: `resp_${receiptExample.id}`,
    object: "response",
    created_at: created,
    status: "completed",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    store: false,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    user: null,
    metadata: {},
    usage: {
      input_tokens: 12,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 12,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 24,
    },
    model: "carrel",
    output: [
      {
        id: `msg_${receiptExample.id}`,
        type: "message",
        status: "completed",
        role: "assistant",
        content: [
          { type: "output_text", text: content, annotations: [{ type: "url_citation", ...citation }], logprobs: [] },
        ],
      },
    ],
    carrel,
  },
};
