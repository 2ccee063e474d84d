import { Type } from "@sinclair/typebox";
import type { Answer } from "../answers/answer-event.ts";
import { receiptJson, snippetJson } from "../answers/answer-json.ts";
import { ask } from "../answers/ask.ts";
import { answerPlainly, type PlainAnswer } from "../answers/plain-answer.ts";
import type { Question } from "../answers/reading/question.ts";
import { type QuestionDependencies, receiptHeader } from "../answers/routes.ts";
import { pause } from "../async/waiting.ts";
import { ApiError } from "../domain/errors.ts";
import { seesReasons, type Tenant } from "../domain/records.ts";
import { type Call, type Endpoint, endpoint } from "../http/endpoint.ts";
import { stopping } from "../http/frame.ts";
import { openAiError, problemDocument } from "../http/problem.ts";
import { jsonResponse } from "../http/respond.ts";
import { eventStream, type ServerEvent } from "../http/sse.ts";
import { meterFor } from "../limits/rates.ts";
import { logReasons } from "../models/warning.ts";
import type { Store } from "../store/contract.ts";
import { countTokens } from "../text/tokens/count-tokens.ts";
import { type Asked, optionWarnings, readConversation, readMaxTokens, refuseUnsupported } from "./request.ts";
import {
  chatCompletion,
  chatCompletionExample,
  type Format,
  type Head,
  modelExample,
  response,
  responseExample,
  type Written,
} from "./response.ts";
import {
  chatCompletionBody,
  chatCompletionSchema,
  modelListSchema,
  modelSchema,
  responseBody,
  responseSchema,
  sourcesHeader,
} from "./schema.ts";
import { type Found, readSourceWay } from "./sources.ts";

const all = "carrel";
const prefix = `${all}/`;
const maxPartitions = 1_000;

type ModelStore = Pick<Store, "organizations" | "partitions">;

interface Model {
  id: string;
  object: "model";
  /** In seconds. */
  created: number;
  owned_by: "carrel";
  name: string;
}

const model = (id: string, name: string, createdAt: number): Model => ({
  id,
  object: "model",
  created: Math.floor(createdAt / 1000),
  owned_by: "carrel",
  name,
});

const ofAll = (store: ModelStore, { organizationId }: Tenant): Model =>
  model(all, "Carrel", store.organizations.getById(organizationId)?.createdAt ?? 0);

const ofPartition = ({ name, createdAt }: { name: string; createdAt: number }): Model =>
  model(prefix + name, `Carrel: ${name}`, createdAt);

/** All that may be asked: all documents that the key may see, and each partition. */
const listModels = async (store: ModelStore, tenant: Tenant): Promise<Model[]> => {
  const { items } = await store.partitions.list(tenant, { limit: maxPartitions, skip: 0, sortOrder: "desc" }, null);
  return [ofAll(store, tenant), ...items.map(ofPartition)];
};

/**
 * The model of this id, and the partition it means; null for all that the key may see.
 * @throws ApiError model_not_found, also for the partition of another organization
 */
const findModel = async (
  store: ModelStore,
  tenant: Tenant,
  id: string,
): Promise<{ model: Model; partitionId: string | null }> => {
  if (id === all) return { model: ofAll(store, tenant), partitionId: null };
  const name = id.startsWith(prefix) ? id.slice(prefix.length) : null;
  const partition = name === null ? null : await store.partitions.getByName(tenant, name);
  if (partition !== null) return { model: ofPartition(partition), partitionId: partition.id };
  throw new ApiError(
    "model_not_found",
    "There is no such model. `carrel` asks all documents, `carrel/<partition>` those of a partition; `GET /v1/models` lists them.",
    { errors: [{ path: "model", message: "names no model that this key may use" }] },
  );
};

const heartbeatMs = 15_000;
/** A failure within this time has its own HTTP status, also where a stream is asked for. */
const headStartMs = 1_000;

type AskingCall = Call<unknown, unknown, { model: string; stream?: boolean }, "reader">;

/** The answer as it comes: what it is made from, its text in pieces, the whole. */
type Step = { type: "found"; found: Found } | { type: "delta"; text: string } | { type: "done"; written: Written };

async function* answerQuestion(
  deps: QuestionDependencies,
  call: AskingCall,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<Step, void, undefined> {
  for await (const event of ask(deps, call.principal, question, signal)) {
    if (event.type === "snippets") yield { type: "found", found: event };
    else if (event.type === "delta") yield event;
    else yield { type: "done", written: await writtenOf(deps, call, event.answer) };
  }
}

const writtenOf = async (deps: QuestionDependencies, call: AskingCall, answer: Answer): Promise<Written> => {
  const { receipt, snippets } = answer;
  logReasons(deps.log, call.requestId, receipt.warnings);
  const text = answer.answer ?? "";
  const reader = { seesReasons: seesReasons(call.principal), requestId: call.requestId };
  return {
    text,
    found: answer,
    promptTokens: receipt.context.used,
    outputTokens: answer.outputTokens ?? (await countTokens(text)),
    isCut: answer.isCut,
    carrel: { relevantSnippets: snippets.map(snippetJson), receipt: receiptJson(receipt, reader) },
  };
};

async function* answerTask(
  deps: QuestionDependencies,
  { text, maxOutputTokens }: Extract<Asked, { kind: "task" }>,
  signal: AbortSignal,
): AsyncGenerator<Step, void, undefined> {
  const found = { snippets: [], documents: [] };
  yield { type: "found", found };
  const writing = answerPlainly(deps, text, maxOutputTokens, signal);
  // A for-await loop would lose the returned value. Leaving early must still stop the model.
  try {
    for (;;) {
      const next = await writing.next();
      if (!next.done) {
        yield { type: "delta", text: next.value };
        continue;
      }
      const { promptTokens, isCut, outputTokens, ...plain } = next.value;
      const counted = outputTokens ?? (await countTokens(plain.text));
      yield { type: "done", written: { ...plain, found, promptTokens, isCut, outputTokens: counted, carrel: null } };
      return;
    }
  } finally {
    await writing.return(nothing);
  }
}

const nothing: PlainAnswer = { text: "", promptTokens: 0, outputTokens: null, isCut: false };

/** Answers what was asked of a model, whole or as a stream. */
const respond = async (
  deps: QuestionDependencies,
  call: AskingCall,
  asked: Asked,
  formatOf: (head: Head) => Format,
): Promise<Response> => {
  const sources = readSourceWay(call.request.headers.get("x-carrel-sources"));
  const { model, partitionId } = await findModel(deps.store, call.principal, call.body.model);
  const asking = await meterFor(deps, call.principal.keyId === null ? null : call.principal);
  const isQuestion = asked.kind === "question";
  const id = isQuestion ? asked.question.receiptId : Bun.randomUUIDv7();
  const headers: Record<string, string> = isQuestion ? receiptHeader(id) : {};
  const { baseUrl } = call;
  const format = formatOf({ id, model: model.id, created: Math.floor(Date.now() / 1000), sources, baseUrl });
  const steps = (signal: AbortSignal) =>
    isQuestion
      ? answerQuestion(asking, call, { ...asked.question, partitionId }, signal)
      : answerTask(asking, asked, signal);

  if (call.body.stream !== true) {
    for await (const step of steps(call.signal)) {
      if (step.type === "done") return await jsonResponse(format.whole(step.written), { headers });
    }
    throw new Error("the answer ended without its end");
  }
  return await eventStream(call, (signal) => streamed(deps, call, steps(signal), format, signal), {
    headers,
    heartbeatMs,
  });
};

/** The events of a stream. It fails before its first event or tells of its failure in the format's own way. */
async function* streamed(
  deps: Pick<QuestionDependencies, "log">,
  call: AskingCall,
  steps: AsyncGenerator<Step, void, undefined>,
  format: Format,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent, void, undefined> {
  let hasBegun = false;
  try {
    const first = await steps.next();
    let next = steps.next();
    await Promise.race([next, pause(headStartMs, signal)]);
    if (first.value?.type !== "found") throw new Error("an answer begins with what it is made from");
    hasBegun = true;
    yield* format.begin(first.value.found);
    for (let step = await next; !step.done; step = await next) {
      if (step.value.type === "done") yield* format.end(step.value.written);
      else if (step.value.type === "delta") yield* format.delta(step.value.text);
      next = steps.next();
    }
  } catch (error) {
    if (!hasBegun) throw error;
    if (!signal.aborted) deps.log.warn({ requestId: call.requestId, err: error }, "a streamed answer failed");
    const at = { path: "", baseUrl: call.baseUrl };
    const failure = signal.aborted ? stopping() : error;
    yield* format.fail(openAiError(problemDocument(failure, call.requestId, at, call.principal)).error);
  } finally {
    await steps.return();
  }
}

const tag = "OpenAI";
const askErrors = [
  "invalid_request",
  "unsupported_value",
  "query_too_long",
  "model_not_found",
  "question_too_long",
  "overloaded",
  "model_failed",
  "model_unreachable",
  "model_timeout",
] as const;

/** OpenAI's API: partitions as models, questions as messages. */
export const openAiEndpoints = (deps: QuestionDependencies): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/v1/models",
      operationId: "listModels",
      access: "reader",
      tag,
      summary: "List what can be asked as models",
      responses: { 200: modelListSchema },
      errors: [],
      example: { response: { object: "list", data: [modelExample] } },
      handle: async ({ principal }) => ({ object: "list", data: await listModels(deps.store, principal) }),
    }),
    endpoint({
      method: "GET",
      path: "/v1/models/:id",
      // Some clients send the slash of `carrel/house` as it is.
      aliases: ["/v1/models/*"],
      operationId: "getModel",
      access: "reader",
      tag,
      summary: "Get a model",
      params: Type.Object({ id: Type.String({ description: "Id of the model." }) }),
      responses: { 200: modelSchema },
      errors: ["model_not_found"],
      example: { response: modelExample },
      handle: async ({ principal, params }) => (await findModel(deps.store, principal, params.id)).model,
    }),
    endpoint({
      method: "POST",
      path: "/v1/chat/completions",
      onlyReads: true,
      operationId: "createChatCompletion",
      access: "reader",
      tag,
      summary: "Ask as OpenAI's chat completions do",
      description:
        "Answers the last message of the user from the documents, as `/api/query` does. With `stream: true` it answers with chunks and `data: [DONE]`. What has no meaning here is ignored; what would change the answer's form is refused.",
      headers: sourcesHeader,
      body: chatCompletionBody,
      responses: { 200: chatCompletionSchema },
      answerHeaders: ["X-Carrel-Receipt"],
      errors: askErrors,
      example: chatCompletionExample,
      handle(call) {
        const { body } = call;
        refuseUnsupported(body);
        const maxOutputTokens = readMaxTokens(body, "max_completion_tokens", "max_tokens");
        const warnings = optionWarnings(body);
        const asked = readConversation(body.messages, "messages", { instructions: "", maxOutputTokens, warnings });
        const includesUsage = (body.stream_options as { include_usage?: unknown } | null)?.include_usage === true;
        return respond(deps, call, asked, (head) => chatCompletion(head, { includesUsage }));
      },
    }),
    endpoint({
      method: "POST",
      path: "/v1/responses",
      onlyReads: true,
      operationId: "createResponse",
      access: "reader",
      tag,
      summary: "Ask as OpenAI's responses do",
      description:
        "The same as `/v1/chat/completions` in the form of OpenAI's Responses API. Nothing is kept: `store` is answered `false`.",
      headers: sourcesHeader,
      body: responseBody,
      responses: { 200: responseSchema },
      answerHeaders: ["X-Carrel-Receipt"],
      errors: askErrors,
      example: responseExample,
      handle(call) {
        const { body } = call;
        refuseUnsupported(body);
        const instructions = body.instructions ?? "";
        const maxOutputTokens = readMaxTokens(body, "max_output_tokens");
        const input = typeof body.input === "string" ? [{ role: "user", content: body.input }] : body.input;
        const messages = input.filter(({ type = null }) => type === null || type === "message");
        const warnings = optionWarnings(body);
        const asked = readConversation(messages, "input", { instructions, maxOutputTokens, warnings });
        return respond(deps, call, asked, (head) =>
          response(head, { instructions: body.instructions ?? null, maxOutputTokens }),
        );
      },
    }),
  ] as Endpoint[];
