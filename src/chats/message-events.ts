import { receiptJson, snippetJson, snippetJsonForVisitor } from "../answers/answer-json.ts";
import { ApiError, type ErrorCode } from "../domain/errors.ts";
import { type Reader, seesReasons } from "../domain/principal.ts";
import type { ServerEvent } from "../http/sse.ts";
import { toApiError } from "../models/model-failure.ts";
import type { FoundSnippet } from "../retrieval/contract.ts";
import { sentMessageJson, sentMessageJsonForVisitor } from "./chat-json.ts";
import type { MessageEvent } from "./send-message.ts";

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

export type DoneEvent = Extract<MessageEvent, { type: "done" }>;

/** Body of the answer, as the caller may see it: `reader` is null for a visitor. */
export const doneJson = (event: DoneEvent, reader: Reader, requestId: string): object => {
  if (reader === null) return sentMessageJsonForVisitor(event.message, event.receipt);
  const receipt = receiptJson(event.receipt, { seesReasons: seesReasons(reader), requestId });
  return sentMessageJson(event.message, receipt);
};

/** The same events; a failure says that the sent message is stored. */
export async function* withStoredNotice(
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
export async function* toServerEvents(
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
