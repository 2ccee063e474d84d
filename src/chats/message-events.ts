import { receiptJson, snippetJson, snippetJsonForVisitor } from "../answers/answer-json.ts";
import { type Reader, seesReasons } from "../domain/principal.ts";
import type { ServerEvent } from "../domain/server-event.ts";
import type { FoundSnippet } from "../retrieval/contract.ts";
import { sentMessageJson, sentMessageJsonForVisitor } from "./chat-json.ts";
import { failedAnswer } from "./failed-answer.ts";
import type { MessageEvent } from "./send-message.ts";

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
