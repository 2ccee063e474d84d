import { Type } from "@sinclair/typebox";
import { receiptSchema } from "../answers/receipt-schema.ts";
import { snippetSchema } from "../answers/schema.ts";
import { choiceField, nullable, textField } from "../http/schema/fields.ts";
import { sourceWays } from "./sources.ts";

const modelField = textField({
  maxLength: 300,
  blank: false,
  description: "`carrel`: all documents that the key may see; `carrel/<partition>`: those of a partition.",
});

const part = Type.Object({
  type: Type.Optional(Type.String({ description: "`text`, `input_text` and `output_text` are read." })),
  text: Type.Optional(Type.String()),
});
const content = Type.Optional(
  Type.Union([Type.String(), Type.Array(part), Type.Null()], {
    description: "A text, or parts of which the texts are read.",
  }),
);

/** Checked by name and not by type: what cannot be honored is refused, all else is ignored. */
const refusable = (description: string) => Type.Optional(Type.Unknown({ description }));
const shared = {
  model: modelField,
  stream: Type.Optional(Type.Boolean({ description: "Answer with server-sent events." })),
  tools: refusable("Ignored: the receipt says so."),
  tool_choice: refusable("`auto` or `none`."),
  top_logprobs: refusable("0 or nothing."),
};
const maxTokens = refusable("Longest answer in tokens.");

export const chatCompletionBody = Type.Object(
  {
    ...shared,
    messages: Type.Array(
      Type.Object({
        role: Type.String({
          description: "`system`, `developer`, `user`, `assistant`; `tool` and `function` are skipped.",
        }),
        content,
      }),
      { minItems: 1, description: "The last message of the user is the question, those before it the history." },
    ),
    stream_options: refusable("`include_usage`: a last chunk with the number of tokens."),
    max_tokens: maxTokens,
    max_completion_tokens: maxTokens,
    n: refusable("1 or nothing."),
    function_call: refusable("`auto` or `none`."),
    response_format: refusable("Text or nothing."),
    logprobs: refusable("False or nothing."),
    modalities: refusable("Text or nothing."),
    audio: refusable("Nothing."),
  },
  { $id: "ChatCompletionRequest" },
);

export const responseBody = Type.Object(
  {
    ...shared,
    input: Type.Union(
      [
        Type.String(),
        Type.Array(
          Type.Object({ type: Type.Optional(nullable(Type.String())), role: Type.Optional(Type.String()), content }),
        ),
      ],
      { description: "The question, or messages whose last one of the user is the question." },
    ),
    instructions: Type.Optional(nullable(Type.String({ description: "Said to the model after the default prompt." }))),
    max_output_tokens: maxTokens,
    text: refusable("`format` of the type `text`, or nothing."),
    previous_response_id: refusable("Nothing."),
    conversation: refusable("Nothing."),
    background: refusable("False or nothing."),
    include: refusable("Ignored, but for log probabilities."),
  },
  { $id: "ResponseRequest" },
);

export const sourcesHeader = Type.Object({
  "X-Carrel-Sources": Type.Optional(
    choiceField(sourceWays, {
      description:
        "How sources are told: as `annotations` (the default), as the chunks that Open WebUI keeps, as a list that ends the text, or not at all.",
    }),
  ),
});

export const modelSchema = Type.Object(
  {
    id: Type.String(),
    object: choiceField(["model"]),
    created: Type.Integer({ description: "In seconds." }),
    owned_by: choiceField(["carrel"]),
    name: Type.String({ description: "What tools show of it." }),
  },
  { $id: "Model" },
);

export const modelListSchema = Type.Object(
  { object: choiceField(["list"]), data: Type.Array(modelSchema) },
  { $id: "ModelList" },
);

const carrelField = Type.Optional(
  Type.Object(
    { relevantSnippets: Type.Array(snippetSchema), receipt: receiptSchema },
    { description: "As in the answer to a question; missing where a model answered a text as it is." },
  ),
);

const citation = Type.Object({
  start_index: Type.Integer({
    description: "Of the mark, in UTF-16 code units; the content's length where it is not cited.",
  }),
  end_index: Type.Integer(),
  url: Type.String({ description: "The passage in the console." }),
  title: Type.String({ description: "Name of the document." }),
});

export const chatCompletionSchema = Type.Object(
  {
    id: Type.String({ description: "`chatcmpl-` and the id of the receipt." }),
    object: choiceField(["chat.completion"]),
    created: Type.Integer(),
    model: Type.String(),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        message: Type.Object({
          role: choiceField(["assistant"]),
          content: Type.String({ description: "The answer, its sources marked `[1]`, `[2]` …" }),
          refusal: Type.Null(),
          annotations: Type.Array(Type.Object({ type: choiceField(["url_citation"]), url_citation: citation })),
        }),
        logprobs: Type.Null(),
        finish_reason: choiceField(["stop", "length"]),
      }),
    ),
    usage: Type.Object({
      prompt_tokens: Type.Integer(),
      completion_tokens: Type.Integer(),
      total_tokens: Type.Integer(),
    }),
    carrel: carrelField,
  },
  { $id: "ChatCompletion" },
);

export const responseSchema = Type.Object(
  {
    id: Type.String({ description: "`resp_` and the id of the receipt." }),
    object: choiceField(["response"]),
    created_at: Type.Integer(),
    status: choiceField(["completed", "incomplete"]),
    background: Type.Boolean(),
    error: Type.Null(),
    incomplete_details: nullable(Type.Object({ reason: choiceField(["max_output_tokens"]) })),
    instructions: nullable(Type.String()),
    max_output_tokens: nullable(Type.Integer()),
    parallel_tool_calls: Type.Boolean(),
    previous_response_id: Type.Null(),
    reasoning: Type.Object({ effort: Type.Null(), summary: Type.Null() }),
    service_tier: Type.String(),
    store: Type.Boolean({ description: "False: nothing is kept." }),
    temperature: Type.Number(),
    text: Type.Object({ format: Type.Object({ type: choiceField(["text"]) }) }),
    tool_choice: Type.String(),
    tools: Type.Array(Type.Unknown()),
    top_p: Type.Number(),
    truncation: Type.String(),
    user: Type.Null(),
    metadata: Type.Object({}),
    usage: Type.Object({
      input_tokens: Type.Integer(),
      input_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
      output_tokens: Type.Integer(),
      output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
      total_tokens: Type.Integer(),
    }),
    model: Type.String(),
    output: Type.Array(
      Type.Object({
        id: Type.String(),
        type: choiceField(["message"]),
        status: choiceField(["completed", "incomplete"]),
        role: choiceField(["assistant"]),
        content: Type.Array(
          Type.Object({
            type: choiceField(["output_text"]),
            text: Type.String(),
            annotations: Type.Array(Type.Object({ type: choiceField(["url_citation"]), ...citation.properties })),
            logprobs: Type.Array(Type.Unknown()),
          }),
        ),
      }),
    ),
    carrel: carrelField,
  },
  { $id: "Response", description: "An answer in the form of OpenAI's Responses API." },
);
