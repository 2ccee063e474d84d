import { userThread, visitorThread } from "../access/visitor.ts";
import type { VisitorLimits } from "../access/visitor-limits.ts";
import { receiptJson, snippetJson, snippetJsonForVisitor } from "../answers/answer-json.ts";
import { type QuestionDependencies, receiptHeader } from "../answers/routes.ts";
import { ApiError, type ErrorCode } from "../domain/errors.ts";
import { type Reader, seesReasons } from "../domain/records.ts";
import { type Access, type Call, type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse } from "../http/respond.ts";
import { idParams } from "../http/schema/fields.ts";
import { acceptsEvents, eventStream, type ServerEvent } from "../http/sse.ts";
import { meterFor } from "../limits/rates.ts";
import { toApiError } from "../models/model-failure.ts";
import { logReasons } from "../models/warning.ts";
import type { FoundSnippet } from "../retrieval/contract.ts";
import { type ChatAccess, isPublicChat, openChat } from "./chat-access.ts";
import { sentMessageJson, sentMessageJsonForVisitor } from "./chat-json.ts";
import {
  type MessageBody,
  messageBody,
  messageEventSchema,
  sentMessageExample,
  sentMessageSchema,
  visitorHeaders,
} from "./schema.ts";
import { type ChatQueues, type MessageEvent, type Sender, sendMessage } from "./send-message.ts";

const modelCodes: readonly ErrorCode[] = ["model_failed", "model_unreachable", "model_timeout"];
/** Failures that happen only after the sent message is stored. */
const codesAfterStoring: readonly ErrorCode[] = [...modelCodes, "question_too_long"];

/** A visitor is not told how the model failed. */
const messageToVisitors = "The model that writes the answers is not working at the moment: ask again later.";

/** The failure of an answer, as the sender of the message reads it: the sent message is stored nevertheless. */
const failedAnswer = (error: unknown, isForVisitor: boolean): unknown => {
  const known = toApiError(error);
  if (!codesAfterStoring.includes(known.code)) return error;
  const withStored = (text: string) => `${text}${/[.!?]$/.test(text) ? "" : "."} The sent message is stored.`;
  const message = isForVisitor && modelCodes.includes(known.code) ? messageToVisitors : known.message;
  return new ApiError(known.code, withStored(message), {
    headers: known.headers,
    reason: known.reason === null ? null : withStored(known.reason),
    cause: error,
  });
};

type DoneEvent = Extract<MessageEvent, { type: "done" }>;

/** Body of the answer, as the caller may see it: `reader` is null for a visitor. */
const doneJson = (event: DoneEvent, reader: Reader, requestId: string): object => {
  if (reader === null) return sentMessageJsonForVisitor(event.message, event.receipt);
  const receipt = receiptJson(event.receipt, { seesReasons: seesReasons(reader), requestId });
  return sentMessageJson(event.message, receipt);
};

/** The same events; a failure says that the sent message is stored. */
async function* withStoredNotice(
  events: AsyncIterable<MessageEvent>,
  isForVisitor: boolean,
): AsyncGenerator<MessageEvent, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    throw failedAnswer(error, isForVisitor);
  }
}

/** The events as they are streamed. */
async function* toServerEvents(
  events: AsyncIterable<MessageEvent>,
  toDone: (event: DoneEvent) => object,
  isForVisitor: boolean,
): AsyncGenerator<ServerEvent, void, undefined> {
  const toSnippet: (snippet: FoundSnippet) => object = isForVisitor ? snippetJsonForVisitor : snippetJson;
  for await (const event of events) {
    if (event.type === "snippets")
      yield { event: "snippets", data: event.snippets.map((snippet) => toSnippet(snippet)) };
    else if (event.type === "delta") yield { event: "delta", data: { text: event.text } };
    else yield { event: "done", data: toDone(event) };
  }
}

type MessageCall<A extends Access> = Call<{ id: string }, unknown, MessageBody, A>;

/** What the paths share: the limits of visitors, and the turns of messages in one chat. */
interface MessageParts {
  deps: QuestionDependencies;
  queues: ChatQueues;
  limits: VisitorLimits;
}

/** Stores the message and answers it, as events where the client asks for them. */
const answerMessage = async (parts: MessageParts, call: MessageCall<Access>): Promise<Response> => {
  const access = await openChat(parts.deps, call);
  try {
    return await answerIn(parts, access, call);
  } catch (error) {
    // The visitor's message may be stored: the failure carries the token that gives access to it.
    throw access.visitor === null ? error : withHeaders(error, access.visitor.headers);
  }
};

const answerIn = async (
  { deps, queues, limits }: MessageParts,
  access: ChatAccess,
  call: MessageCall<Access>,
): Promise<Response> => {
  const { chat, tenant, visitor } = access;
  const { principal, requestId, clientAddress } = call;
  if (visitor !== null)
    await limits.spend({ visitorId: visitor.id, isKnown: visitor.isKnown, clientAddress, chatId: chat.id });
  const isOperator = principal !== null && principal.keyId === null;
  const caller = isOperator ? null : { organizationId: chat.organizationId, keyId: principal?.keyId ?? null };
  const sending = { ...(await meterFor(deps, caller)), ...queues };
  const receiptId = Bun.randomUUIDv7();
  const sender = { ...senderOf(access, call), receiptId };
  const events = (signal: AbortSignal) =>
    withStoredNotice(sendMessage(sending, tenant, chat, sender, call.body.message, signal), visitor !== null);
  const toDone = (event: DoneEvent): object => {
    logReasons(deps.log, requestId, event.receipt.warnings);
    return doneJson(event, visitor === null ? principal : null, requestId);
  };
  const headers = { ...visitor?.headers, ...receiptHeader(receiptId) };
  if (call.body.stream === true || acceptsEvents(call.request)) {
    return await eventStream(call, (signal) => toServerEvents(events(signal), toDone, visitor !== null), {
      headers,
      onError: (error) => deps.log.warn({ requestId, err: error }, "a streamed answer failed"),
    });
  }
  for await (const event of events(call.signal)) {
    if (event.type === "done") return jsonResponse(toDone(event), { headers });
  }
  throw new Error("the answer ended without its last event");
};

/** The three paths that take a message. */
export const messageEndpoints = (deps: QuestionDependencies, queues: ChatQueues, limits: VisitorLimits): Endpoint[] => {
  const send = (call: MessageCall<Access>): Promise<Response> => answerMessage({ deps, queues, limits }, call);

  const shared = {
    method: "POST",
    tag: "Chats",
    summary: "Send a message to a chat",
    params: idParams,
    body: messageBody,
    responses: { 200: sentMessageSchema },
    events: messageEventSchema,
    errors: [
      "invalid_request",
      "chat_not_found",
      "chat_scope_gone",
      "question_too_long",
      "overloaded",
      "model_failed",
      "model_unreachable",
      "model_timeout",
    ],
    example: { request: { message: "When do you open in winter?" }, response: sentMessageExample },
  } as const;
  const description =
    "Stores the message, answers it from the chat's scope with the conversation so far in mind, stores the answer and returns the answer's message. Streams the events `snippets`, `delta`, `done` and `error` with `Accept: text/event-stream` or `stream: true`. Where the model fails, the sent message stays stored.";
  const open = {
    ...shared,
    access: "visitor",
    headers: visitorHeaders,
    answerHeaders: ["X-Visitor-Token", "X-Carrel-Receipt"],
    description: `${description} Without a key, to a public chat alone: the visitor is known by the header \`X-Visitor-Token\` or the cookie \`carrel_visitor\`, and limited in messages a minute.`,
    errors: [...shared.errors, "origin_forbidden", "rate_limited"],
    isPublic: ({ id }: { id: string }) => isPublicChat(deps.store, id),
    admit: async (call: Parameters<typeof openChat>[1] & { clientAddress: string }) => {
      if (call.principal !== null) return;
      await limits.admit(call.clientAddress);
      await openChat(deps, call);
    },
    handle: (call: MessageCall<"visitor">) => send(call),
  } as const;

  return [
    endpoint({ ...open, path: "/api/chat/:id/message", operationId: "sendMessage" }),
    endpoint({ ...open, path: "/api/chat/:id/public", operationId: "sendPublicMessage" }),
    endpoint({
      ...shared,
      path: "/api/chat/:id/private",
      operationId: "sendPrivateMessage",
      access: "reader",
      description,
      handle: (call) => send(call),
    }),
  ] as Endpoint[];
};

const senderOf = ({ visitor }: ChatAccess, call: MessageCall<Access>): Omit<Sender, "receiptId"> => {
  if (visitor !== null) return { userId: visitor.id, thread: visitorThread(visitor.id), isVisitor: true };
  const userId = call.body.userId ?? call.principal?.userId ?? "";
  return { userId, thread: userThread(userId), isVisitor: false };
};

const withHeaders = (error: unknown, headers: Record<string, string>): ApiError => {
  const known = toApiError(error);
  return new ApiError(known.code, known.message, {
    headers: { ...headers, ...known.headers },
    reason: known.reason,
    cause: known.cause,
    ...(known.errors === null ? {} : { errors: known.errors }),
  });
};
