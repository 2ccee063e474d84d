import { receiptJson, snippetJson, snippetJsonForVisitor } from "../answers/answer-json.ts";
import type { QuestionDependencies } from "../answers/routes.ts";
import { ApiError } from "../domain/errors.ts";
import { isToldReasons } from "../domain/principal.ts";
import type { ServerEvent } from "../domain/server-event.ts";
import { type Access, type Call, type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse } from "../http/respond.ts";
import { idParams } from "../http/schema/fields.ts";
import { acceptsEvents, eventStream } from "../http/sse.ts";
import { toApiError } from "../models/api-error.ts";
import { logReasons } from "../models/warning.ts";
import type { FoundSnippet } from "../retrieval/contract.ts";
import { type ChatAccess, openChat, userThread, visitorThread } from "./chat-access.ts";
import { sentMessageJson, sentMessageJsonForVisitor } from "./chat-json.ts";
import { sentMessageExample } from "./examples.ts";
import { failedAnswer } from "./failed-answer.ts";
import { type MessageBody, messageBody, messageEventSchema, sentMessageSchema, visitorHeaders } from "./schema.ts";
import { type MessageEvent, type Sender, sendMessage } from "./send-message.ts";
import { createThreadQueue, type ThreadQueue } from "./thread-queue.ts";
import type { VisitorLimits } from "./visitor-limits.ts";

type MessageCall<A extends Access> = Call<{ id: string }, unknown, MessageBody, A>;

/** The three paths that take a message. */
export const messageEndpoints = (
  deps: QuestionDependencies,
  chatLocks: ThreadQueue,
  limits: VisitorLimits,
): Endpoint[] => {
  const sending = { ...deps, threads: createThreadQueue(), chatLocks };

  const send = async (call: MessageCall<Access>): Promise<Response> => {
    const access = await openChat(deps, call);
    const { chat, tenant, visitor } = access;
    try {
      if (visitor !== null) {
        const { clientAddress } = call;
        await limits.spend({ visitorId: visitor.id, known: visitor.known, clientAddress, chatId: chat.id });
      }
      const sender = senderOf(access, call);
      const events = (signal: AbortSignal) =>
        sayingStored(sendMessage(sending, tenant, chat, sender, call.body.message, signal), visitor !== null);
      const toDone = (event: Extract<MessageEvent, { type: "done" }>): object => {
        logReasons(deps.log, call.requestId, event.receipt.warnings);
        return doneJson(event, call, visitor !== null);
      };
      const headers = visitor?.headers ?? {};
      if (call.body.stream === true || acceptsEvents(call.request)) {
        return await eventStream(call, (signal) => toServerEvents(events(signal), toDone, visitor !== null), {
          headers,
          onError: (error) => deps.log.warn({ requestId: call.requestId, err: error }, "a streamed answer failed"),
        });
      }
      for await (const event of events(call.signal)) {
        if (event.type === "done") return jsonResponse(toDone(event), { headers });
      }
      throw new Error("the answer ended without its end");
    } catch (error) {
      // The visitor's message may be stored: the token that leads back to it goes out with the failure too.
      throw visitor === null ? error : withHeaders(error, visitor.headers);
    }
  };

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
    answerHeaders: ["X-Visitor-Token"],
    description: `${description} Without a key, to a public chat alone: the visitor is known by the header \`X-Visitor-Token\` or the cookie \`carrel_visitor\`, and limited in messages a minute.`,
    errors: [...shared.errors, "origin_forbidden", "rate_limited"],
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

const senderOf = ({ visitor }: ChatAccess, call: MessageCall<Access>): Sender => {
  if (visitor !== null) return { userId: visitor.id, thread: visitorThread(visitor.id) };
  const userId = call.body.userId ?? call.principal?.userId ?? "";
  return { userId, thread: userThread(userId) };
};

const doneJson = (
  event: Extract<MessageEvent, { type: "done" }>,
  { principal, requestId }: MessageCall<Access>,
  toVisitor: boolean,
): object => {
  if (toVisitor) return sentMessageJsonForVisitor(event.message);
  const reader = { isToldReasons: isToldReasons(principal), requestId };
  return sentMessageJson(event.message, receiptJson(event.receipt, reader));
};

/** The same events; a failure says that the message sent is stored. */
async function* sayingStored(
  events: AsyncIterable<MessageEvent>,
  toVisitor: boolean,
): AsyncGenerator<MessageEvent, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    throw failedAnswer(error, toVisitor);
  }
}

async function* toServerEvents(
  events: AsyncIterable<MessageEvent>,
  toDone: (event: Extract<MessageEvent, { type: "done" }>) => object,
  toVisitor: boolean,
): AsyncGenerator<ServerEvent, void, undefined> {
  const toSnippet: (snippet: FoundSnippet) => object = toVisitor ? snippetJsonForVisitor : snippetJson;
  for await (const event of events) {
    if (event.type === "snippets")
      yield { event: "snippets", data: event.snippets.map((snippet) => toSnippet(snippet)) };
    else if (event.type === "delta") yield { event: "delta", data: { text: event.text } };
    else yield { event: "done", data: toDone(event) };
  }
}

const withHeaders = (error: unknown, headers: Record<string, string>): ApiError => {
  const known = toApiError(error);
  return new ApiError(known.code, known.message, {
    headers: { ...headers, ...known.headers },
    reason: known.reason,
    cause: known.cause,
    ...(known.errors === null ? {} : { errors: known.errors }),
  });
};
