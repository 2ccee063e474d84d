import { receiptExample, snippetExample } from "../answers/examples.ts";
import type { ServerEvent } from "../http/sse.ts";
import { citations, type Found, openWebUiEvents, type SourceWay, sourceList } from "./sources.ts";

/** What is known of an answer before it is written. */
export interface Head {
  /** Of the receipt; of nothing else where there is none. */
  id: string;
  model: string;
  /** In seconds. */
  created: number;
  sources: SourceWay;
  baseUrl: string;
}

/** A whole answer. */
export interface Written {
  text: string;
  found: Found;
  promptTokens: number;
  outputTokens: number;
  isCut: boolean;
  /** Snippets and receipt; null where a model answered a text as it is. */
  carrel: { relevantSnippets: unknown[]; receipt: unknown } | null;
}

/** Why there is no whole answer, as OpenAI's errors say it. */
interface Failure {
  message: string;
  type: string;
  param: string | null;
  code: string;
}

/** How one of OpenAI's two interfaces writes an answer: whole, or as the events of a stream. */
export interface Format {
  whole(written: Written): object;
  /** Before the first text. */
  begin(found: Found): ServerEvent[];
  delta(text: string): ServerEvent[];
  end(written: Written): ServerEvent[];
  /** The last events of a stream that failed. */
  fail(failure: Failure): ServerEvent[];
}

/** `POST /v1/chat/completions`: an answer as a chat completion, or as its chunks. */
export const chatCompletion = (head: Head, options: { includesUsage: boolean }): Format => {
  const { model, created, sources, baseUrl } = head;
  const id = `chatcmpl-${head.id}`;
  const chunk = (choices: object[], more: object = {}): ServerEvent => {
    const usage = options.includesUsage ? { usage: null } : {};
    return { event: null, data: { id, object: "chat.completion.chunk", created, model, choices, ...usage, ...more } };
  };
  const choice = (delta: object, finish: string | null = null) => ({
    index: 0,
    delta,
    logprobs: null,
    finish_reason: finish,
  });
  const finishOf = ({ isCut }: Written) => (isCut ? "length" : "stop");
  const listOf = ({ text, found }: Written) => (sources === "text" ? sourceList(text, found, baseUrl) : "");
  const annotationsOf = (written: Written) =>
    sources === "none"
      ? []
      : citations(written.text + listOf(written), written.found, baseUrl).map((citation) => ({
          type: "url_citation",
          url_citation: citation,
        }));

  return {
    whole: (written) => ({
      id,
      object: "chat.completion",
      created,
      model,
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: written.text + listOf(written),
            refusal: null,
            annotations: annotationsOf(written),
          },
          logprobs: null,
          finish_reason: finishOf(written),
        },
      ],
      usage: usageOf(written),
      ...(written.carrel === null ? {} : { carrel: written.carrel }),
    }),
    begin: (found) => [
      chunk([choice({ role: "assistant", content: "" })]),
      ...(sources === "open-webui" ? openWebUiEvents(found, baseUrl).map((event) => chunk([], { event })) : []),
    ],
    delta: (text) => [chunk([choice({ content: text })])],
    end(written) {
      const list = listOf(written);
      const annotations = sources === "open-webui" ? [] : annotationsOf(written);
      return [
        ...(list === "" ? [] : [chunk([choice({ content: list })])]),
        ...(annotations.length === 0 ? [] : [chunk([choice({ annotations })])]),
        chunk([choice({}, finishOf(written))], written.carrel === null ? {} : { carrel: written.carrel }),
        ...(options.includesUsage ? [chunk([], { usage: usageOf(written) })] : []),
        { event: null, data: "[DONE]", isVerbatim: true },
      ];
    },
    fail: (error) => [{ event: null, data: { error } }],
  };
};

const usageOf = ({ promptTokens, outputTokens }: Written) => ({
  prompt_tokens: promptTokens,
  completion_tokens: outputTokens,
  total_tokens: promptTokens + outputTokens,
});

/** `POST /v1/responses`: an answer as a response, or as the events of one. */
export const response = (
  head: Head,
  options: { instructions: string | null; maxOutputTokens: number | null },
): Format => {
  const { sources, baseUrl } = head;
  const itemId = `msg_${head.id}`;
  const base = {
    id: `resp_${head.id}`,
    object: "response",
    created_at: head.created,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: options.instructions,
    max_output_tokens: options.maxOutputTokens,
    model: head.model,
    output: [],
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
    usage: null,
    user: null,
    metadata: {},
  };
  const place = { item_id: itemId, output_index: 0, content_index: 0 };
  let number = 0;
  const event = (type: string, fields: object): ServerEvent => ({
    event: type,
    data: { type, sequence_number: number++, ...fields },
  });
  const item = (status: string, content: object[]) => ({
    id: itemId,
    type: "message",
    status,
    role: "assistant",
    content,
  });
  const part = (text: string, annotations: object[]) => ({ type: "output_text", text, annotations, logprobs: [] });

  const partOf = ({ text, found }: Written) => {
    const whole = text + (sources === "text" ? sourceList(text, found, baseUrl) : "");
    const annotations =
      sources === "none"
        ? []
        : citations(whole, found, baseUrl).map((citation) => ({ type: "url_citation", ...citation }));
    return part(whole, annotations);
  };
  const statusOf = ({ isCut }: Written) => (isCut ? "incomplete" : "completed");
  const whole = (written: Written) => ({
    ...base,
    status: statusOf(written),
    incomplete_details: written.isCut ? { reason: "max_output_tokens" } : null,
    output: [item(statusOf(written), [partOf(written)])],
    usage: {
      input_tokens: written.promptTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: written.outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: written.promptTokens + written.outputTokens,
    },
    ...(written.carrel === null ? {} : { carrel: written.carrel }),
  });
  const delta = (text: string) => event("response.output_text.delta", { ...place, delta: text, logprobs: [] });

  return {
    whole,
    begin: () => [
      event("response.created", { response: base }),
      event("response.in_progress", { response: base }),
      event("response.output_item.added", { output_index: 0, item: item("in_progress", []) }),
      event("response.content_part.added", { ...place, part: part("", []) }),
    ],
    delta: (text) => [delta(text)],
    end(written) {
      const done = partOf(written);
      const list = done.text.slice(written.text.length);
      return [
        ...(list === "" ? [] : [delta(list)]),
        ...done.annotations.map((annotation, index) =>
          event("response.output_text.annotation.added", { ...place, annotation_index: index, annotation }),
        ),
        event("response.output_text.done", { ...place, text: done.text, logprobs: [] }),
        event("response.content_part.done", { ...place, part: done }),
        event("response.output_item.done", { output_index: 0, item: item(statusOf(written), [done]) }),
        event(`response.${statusOf(written)}`, { response: whole(written) }),
      ];
    },
    fail: ({ code, message }) => [
      event("response.failed", { response: { ...base, status: "failed", error: { code, message } } }),
    ],
  };
};

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
