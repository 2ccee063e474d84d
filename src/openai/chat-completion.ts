import type { ServerEvent } from "../http/sse.ts";
import type { Format, Head, Written } from "./format.ts";
import { citations, openWebUiEvents, sourceList } from "./sources.ts";

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
