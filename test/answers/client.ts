import type { Static } from "@sinclair/typebox";
import type { answerSchema } from "../../src/answers/schema.ts";
import type { chatSchema, chatWithMessagesSchema, sentMessageSchema } from "../../src/chats/schema.ts";
import type { ProblemDocument } from "../../src/http/problem.ts";
import { type CallOptions, sendRequest } from "../call-server.ts";
import { readEvents as eventsIn, type StreamedEvent } from "../read-events.ts";

export type AnswerBody = Static<typeof answerSchema>;
export type ChatBody = Static<typeof chatSchema>;
export type ChatWithMessages = Static<typeof chatWithMessagesSchema>;
export type SentMessage = Static<typeof sentMessageSchema>;

interface SendOptions extends Omit<CallOptions, "json" | "body"> {
  /** `POST` with a body, else `GET`. */
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** `sendRequest` to a whole address. */
export const send = (url: string, { method, body, ...options }: SendOptions = {}): Promise<Response> =>
  sendRequest(url, method ?? (body === undefined ? "GET" : "POST"), "", { ...options, json: body });

/** The same, its answer read as JSON of the type that the test expects. */
export const call = async <T = ProblemDocument>(
  url: string,
  options: SendOptions = {},
): Promise<{ status: number; headers: Headers; body: T }> => {
  const response = await send(url, options);
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
};

/** The events of a streamed answer, comments left out. */
export const readEvents = async (response: Response): Promise<StreamedEvent[]> => eventsIn(await response.text());

/** The text that the `delta` events carry, put together. */
export const joinDeltas = (events: readonly StreamedEvent[]): string =>
  events
    .filter(({ event }) => event === "delta")
    .map(({ data }) => data.text)
    .join("");

/** A problem document without the request's own id, for snapshots. */
export const withoutRequestId = ({ requestId: _requestId, ...rest }: ProblemDocument) => rest;
