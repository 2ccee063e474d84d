import type { ChatWithMessages, Feedback, Problem, SentMessage, SourceSnippet } from "../shared/api.ts";
import type { Said } from "../shared/feedback.tsx";
import { at } from "../shared/prefix.ts";
import { answerEvents, serverEvents } from "../shared/server-events.ts";
import { strings } from "./strings.ts";

/** A failure that the server reported. `message` is for the visitor. */
export class ReportedError extends Error {
  override readonly name = "ReportedError";
}

interface AnswerEvents {
  onSources(sources: SourceSnippet[]): void;
  onText(text: string): void;
}

/** The server stops, or the connection to it is lost: it may be back soon. */
class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
  override readonly message = strings.unreachableNow;
}

/** The requests of one chat. Every call takes the conversation's token (null: a new one) and reports the one to use. */
export interface ChatClient {
  load(token: string | null): Promise<ChatWithMessages>;
  /** @throws ReportedError, ConnectionLost, AbortError */
  send(message: string, token: string | null, events: AnswerEvents, signal: AbortSignal): Promise<SentMessage>;
  /** Says of an answer whether it was right. @throws as `send` */
  rate(messageId: string, said: Said, token: string | null): Promise<Feedback>;
  /** @throws as `send` */
  takeBack(feedbackId: string, token: string | null): Promise<void>;
}

/** @param onToken called with the token that the server handed out */
export const createChatClient = (chatId: string, onToken: (token: string) => void): ChatClient => {
  const address = `/api/chat/${encodeURIComponent(chatId)}`;

  /** Without cookies: the token alone says whose conversation it is, also where frames get no cookies. */
  const request = async (path: string, token: string | null, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (token !== null) headers.set("x-visitor-token", token);
    const answer = await fetch(at(path), { ...init, headers, credentials: "omit", cache: "no-store" }).catch(asLost);
    const renewed = answer.headers.get("x-visitor-token");
    if (renewed !== null) onToken(renewed);
    if (!answer.ok) throw await reported(answer);
    return answer;
  };

  return {
    load: async (token) => (await (await request(address, token, {})).json()) as ChatWithMessages,
    async send(message, token, events, signal) {
      const answer = await request(`${address}/message`, token, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "text/event-stream" },
        body: JSON.stringify({ message }),
        signal,
      });
      if (answer.body === null) throw new ConnectionLost();
      try {
        for await (const { event, data } of answerEvents<SentMessage>(serverEvents(answer.body), failureOf)) {
          if (event === "snippets") events.onSources(data);
          else if (event === "delta") events.onText(data.text);
          else return data;
        }
      } catch (error) {
        asLost(error);
      }
      throw new ConnectionLost();
    },
    async rate(messageId, said, token) {
      const answer = await request("/api/feedback", token, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...said, messageId }),
      });
      return (await answer.json()) as Feedback;
    },
    async takeBack(feedbackId, token) {
      await request(`/api/feedback/${feedbackId}`, token, { method: "DELETE" });
    },
  };
};

const reported = async (answer: Response): Promise<Error> => {
  const problem = (await answer.json().catch(() => null)) as Partial<Problem> | null;
  return failureOf({ ...problem, detail: problem?.detail ?? `${answer.status} ${answer.statusText}` });
};

/** A server that is being stopped is as good as away. */
const failureOf = ({ code, detail = "" }: Partial<Problem>): Error =>
  code === "draining" ? new ConnectionLost() : new ReportedError(detail);

/** What `fetch` and streams throw where the connection fails differs from browser to browser. */
const asLost = (error: unknown): never => {
  if (error instanceof ReportedError || (error instanceof DOMException && error.name === "AbortError")) throw error;
  throw new ConnectionLost();
};
