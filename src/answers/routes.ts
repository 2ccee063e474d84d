import type { Config } from "../../config/schema.ts";
import type { WithEmbedder } from "../documents/document-json.ts";
import { seesReasons } from "../domain/records.ts";
import { type Call, type Endpoint, endpoint } from "../http/endpoint.ts";
import type { HttpDependencies } from "../http/frame.ts";
import { jsonResponse } from "../http/respond.ts";
import { acceptsEvents, eventStream, type ServerEvent } from "../http/sse.ts";
import { meterFor } from "../limits/rates.ts";
import { logReasons } from "../models/warning.ts";
import type { Store } from "../store/contract.ts";
import type { Answer } from "./answer-event.ts";
import { answerJson, snippetJson } from "./answer-json.ts";
import { type AskDependencies, ask } from "./ask.ts";
import { answerExample, searchExample } from "./examples.ts";
import { readQuestion } from "./read-question.ts";
import type { Question } from "./reading/question.ts";
import { answerEventSchema, answerSchema, questionBody, questionQuery, searchBody } from "./schema.ts";

/** What every route needs that answers questions. */
export interface QuestionDependencies extends AskDependencies, Pick<HttpDependencies, "log" | "rates">, WithEmbedder {
  config: Config;
  store: Store;
}

type QuestionCall = Call<unknown, { include?: "originalText" }, { stream?: boolean }, "reader">;

/** Names the receipt before the answer is there. */
export const receiptHeader = (receiptId: string): Record<string, string> => ({ "x-carrel-receipt": receiptId });

/** Answers with JSON, or with server-sent events if the client asks for them. */
const respond = async (
  deps: QuestionDependencies,
  call: QuestionCall,
  question: Question,
): Promise<object | Response> => {
  const reader = { seesReasons: seesReasons(call.principal), requestId: call.requestId };
  const options = {
    baseUrl: call.baseUrl,
    includeText: call.query.include === "originalText",
    held: call.held,
    reader,
  };
  const toJson = (answer: Answer) => {
    logReasons(deps.log, call.requestId, answer.receipt.warnings);
    return answerJson(deps, answer, options);
  };

  const { principal } = call;
  const headers = receiptHeader(question.receiptId);
  const asking = await meterFor(deps, question.wantsAnswer && principal.keyId !== null ? principal : null);
  if (call.body.stream !== true && !acceptsEvents(call.request)) {
    for await (const event of ask(asking, principal, question, call.signal)) {
      if (event.type === "done") return await jsonResponse(await toJson(event.answer), { headers });
    }
    throw new Error("the answer ended without its end");
  }

  async function* produce(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    for await (const event of ask(asking, principal, question, signal)) {
      if (event.type === "snippets") yield { event: "snippets", data: event.snippets.map(snippetJson) };
      else if (event.type === "delta") yield { event: "delta", data: { text: event.text } };
      else yield { event: "done", data: await toJson(event.answer) };
    }
  }
  return await eventStream(call, produce, {
    headers,
    onError: (error) => deps.log.warn({ requestId: call.requestId, err: error }, "a streamed answer failed"),
  });
};

const errors = [
  "invalid_request",
  "scope_conflict",
  "document_not_found",
  "partition_not_found",
  "metadata_too_large",
  "answer_too_large",
  "overloaded",
] as const;

/** `/api/query` and `/api/search`. */
export const questionEndpoints = (deps: QuestionDependencies): Endpoint[] =>
  [
    endpoint({
      method: "POST",
      path: "/api/query",
      onlyReads: true,
      operationId: "askQuestion",
      access: "reader",
      tag: "Questions",
      summary: "Ask a question",
      description:
        "Answers from the most relevant snippets of the documents in scope: the whole organization, one partition or one document. With `Accept: text/event-stream` or `stream: true` it answers with the events `snippets`, `delta`, `done` and `error`.",
      query: questionQuery,
      body: questionBody,
      responses: { 200: answerSchema },
      answerHeaders: ["X-Carrel-Receipt"],
      events: answerEventSchema,
      errors: [...errors, "question_too_long", "model_failed", "model_unreachable", "model_timeout"],
      example: answerExample,
      handle: (call) => respond(deps, call, readQuestion(call.body, call.body.answer ?? true)),
    }),
    endpoint({
      method: "POST",
      path: "/api/search",
      onlyReads: true,
      operationId: "searchSnippets",
      access: "reader",
      tag: "Questions",
      summary: "Search without an answer",
      description:
        "The snippets that a question would be answered from; `answer` is null. The same as `answer: false`.",
      query: questionQuery,
      body: searchBody,
      responses: { 200: answerSchema },
      answerHeaders: ["X-Carrel-Receipt"],
      events: answerEventSchema,
      errors,
      example: searchExample,
      handle: (call) => respond(deps, call, readQuestion(call.body, false)),
    }),
  ] as Endpoint[];
