import { batch, signal } from "@preact/signals";
import type { ChatWithMessages, Feedback, Message, Problem, SentMessage, SourceDocument } from "../shared/api.ts";
import type { Said } from "../shared/feedback.tsx";
import { at } from "../shared/prefix.ts";
import { type AnswerParts, readAnswer, serverEvents } from "../shared/server-events.ts";
import { strings } from "./strings.ts";

const retryMs = 2_000;
const maxTitleLength = 60;

/** What the page shows, and what its controls do. */
export const createChatState = (chatId: string) => {
  const turns = signal<Turn[]>([]);
  const isAnswering = signal(false);
  const notice = signal("");
  const conversations: Conversations = createConversations(chatId);
  const history = signal(conversations.list());
  const token = signal<string | null>(conversations.list()[0]?.token ?? null);
  let running: AbortController | null = null;
  /** Changes with each question and each conversation: messages that were asked for before are out of date. */
  let moment = 0;

  const client: ChatClient = createChatClient(chatId, (given) => {
    token.value = given;
  });

  const change = (id: string, part: Partial<Turn>): void => {
    turns.value = turns.value.map((turn) => (turn.id === id ? { ...turn, ...part } : turn));
  };

  /** Keeps the conversation in the browser, under the visitor's first words. */
  const remember = (): void => {
    const first = turns.value.find(({ isAnswer }) => !isAnswer);
    if (token.value === null || first === undefined) return;
    const known = conversations.list().find((one) => one.token === token.value);
    const title = first.text.slice(0, maxTitleLength);
    conversations.keep({ token: token.value, title, startedAt: known?.startedAt ?? Date.now() });
    history.value = conversations.list();
  };

  /** Reads the stored messages; while the server cannot be reached, again and again. */
  const load = async (): Promise<void> => {
    const asked = moment;
    while (asked === moment) {
      try {
        const { messages } = await client.load(token.value);
        if (asked !== moment) return;
        batch(() => {
          turns.value = messages.map(toTurn);
          if (turns.value.at(-1)?.isAnswer === false) change(turns.value.at(-1)?.id ?? "", unanswered);
          if (notice.value === strings.unreachable) notice.value = strings.back;
        });
        return;
      } catch (error) {
        notice.value = error instanceof ReportedError ? error.message : strings.unreachable;
        if (error instanceof ReportedError) return;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  };

  const send = async (text: string): Promise<void> => {
    if (isAnswering.value || text.trim() === "") return;
    running = new AbortController();
    moment += 1;
    const answerId = crypto.randomUUID();
    batch(() => {
      notice.value = "";
      isAnswering.value = true;
      turns.value = [
        ...turns.value,
        { ...newTurn, id: crypto.randomUUID(), text, sentAt: Date.now() },
        { ...newTurn, id: answerId, isAnswer: true, state: "streaming" },
      ];
    });
    const parts: AnswerParts = {
      onSnippets: (snippets) => change(answerId, { sources: snippets.map(({ metadata }) => toSource(metadata)) }),
      onText: (written) => change(answerId, { text: written }),
    };
    try {
      const answer = await client.send(text, token.value, parts, running.signal);
      change(answerId, { ...toTurn(answer), id: answerId, doubt: answer.doubt });
      remember();
    } catch (error) {
      if (running.signal.aborted) change(answerId, { state: "ended", notice: strings.stopped });
      else if (error instanceof ReportedError) change(answerId, { state: "ended", notice: error.message });
      else {
        notice.value = strings.unreachable;
        void load();
      }
    } finally {
      isAnswering.value = false;
    }
  };

  return {
    turns,
    isAnswering,
    notice,
    history,
    token,
    load,
    send,
    stop: () => running?.abort(),
    /** Says of an answer whether it was right. @throws ReportedError, ConnectionLost */
    async rate({ id, messageId }: Turn, said: Said): Promise<void> {
      if (messageId !== null) change(id, { feedback: await client.rate(messageId, said, token.value) });
    },
    /** Takes back what was said of an answer. @throws as `rate` */
    async takeBack({ id }: Turn, feedbackId: string): Promise<void> {
      await client.takeBack(feedbackId, token.value);
      change(id, { feedback: null });
    },
    /** Sends the last question again. */
    retry() {
      const last = turns.value.findLast(({ isAnswer }) => !isAnswer);
      if (last === undefined || isAnswering.value) return;
      turns.value = turns.value.slice(0, turns.value.indexOf(last));
      void send(last.text);
    },
    /** Opens an earlier conversation; null begins a new one. */
    open(chosen: string | null) {
      running?.abort();
      moment += 1;
      batch(() => {
        token.value = chosen;
        turns.value = [];
        notice.value = "";
      });
      if (chosen !== null) void load();
    },
  };
};

export type ChatState = ReturnType<typeof createChatState>;

/** A passage that an answer is made from, as it is shown. */
export interface Source {
  text: string;
  page: number | null;
  headings: string[];
  columns: string[];
}

export interface Turn {
  id: string;
  isAnswer: boolean;
  text: string;
  /** When it was sent, in epoch milliseconds; null while it is written. */
  sentAt: number | null;
  sources: Source[];
  /** What is said of an answer that was written while the page was open. */
  doubt: SentMessage["doubt"];
  /** The stored answer's id; null while it is written, and of one that was not stored. */
  messageId: string | null;
  /** What the visitor said of it. */
  feedback: Feedback | null;
  /** `streaming`: the answer is being written. `ended`: it was stopped or failed; `notice` says why. */
  state: "whole" | "streaming" | "ended";
  notice: string;
}

const newTurn = {
  isAnswer: false,
  text: "",
  sentAt: null,
  sources: [],
  doubt: null,
  messageId: null,
  feedback: null,
  state: "whole",
  notice: "",
} as const satisfies Omit<Turn, "id">;
/** What becomes of a question without an answer. */
const unanswered = { state: "ended", notice: strings.unanswered } as const;

const toSource = ({ content, page, headings, columns }: SourceDocument["metadata"]): Source => ({
  text: content ?? "",
  page,
  headings,
  columns: columns ?? [],
});

const toTurn = ({ id, isSystem, message, createdAt, sourceDocuments, feedback }: Message): Turn => ({
  ...newTurn,
  id,
  isAnswer: isSystem,
  text: message,
  sentAt: Date.parse(createdAt),
  sources: sourceDocuments.map(({ metadata }) => toSource(metadata)),
  messageId: id,
  feedback: feedback ?? null,
});

/** A conversation of this visitor with a chat. The server knows it by its token alone. */
interface Conversation {
  token: string;
  /** First words of the visitor; empty before the first message. */
  title: string;
  startedAt: number;
}

/** The visitor's conversations with one chat, newest first, kept in the browser. */
interface Conversations {
  list(): Conversation[];
  /** Adds the conversation, or replaces the one of the same token. */
  keep(conversation: Conversation): void;
}

const maxConversations = 20;

const isConversation = (value: unknown): value is Conversation =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Conversation).token === "string" &&
  typeof (value as Conversation).title === "string" &&
  typeof (value as Conversation).startedAt === "number";

/** In a frame the browser may refuse storage: then the conversations last as long as the page. */
const createConversations = (chatId: string): Conversations => {
  const key = `carrel.chat.${chatId}`;
  let known: Conversation[] = [];
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    if (Array.isArray(stored)) known = stored.filter(isConversation);
  } catch {
    known = [];
  }
  return {
    list: () => [...known],
    keep(conversation) {
      known = [conversation, ...known.filter(({ token }) => token !== conversation.token)].slice(0, maxConversations);
      try {
        localStorage.setItem(key, JSON.stringify(known));
      } catch {
        // It stays in memory.
      }
    },
  };
};

/** A failure that the server reported. `message` is for the visitor. */
class ReportedError extends Error {
  override readonly name = "ReportedError";
}

/** The server stops, or the connection to it is lost: it may be back soon. */
class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
  override readonly message = strings.unreachableNow;
}

/** The requests of one chat. Every call takes the conversation's token (null: a new one) and reports the one to use. */
interface ChatClient {
  load(token: string | null): Promise<ChatWithMessages>;
  /** @throws ReportedError, ConnectionLost, AbortError */
  send(message: string, token: string | null, parts: AnswerParts, signal: AbortSignal): Promise<SentMessage>;
  /** Says of an answer whether it was right. @throws as `send` */
  rate(messageId: string, said: Said, token: string | null): Promise<Feedback>;
  /** @throws as `send` */
  takeBack(feedbackId: string, token: string | null): Promise<void>;
}

/** @param onToken called with the token that the server handed out */
const createChatClient = (chatId: string, onToken: (token: string) => void): ChatClient => {
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
    async send(message, token, parts, signal) {
      const answer = await request(`${address}/message`, token, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "text/event-stream" },
        body: JSON.stringify({ message }),
        signal,
      });
      if (answer.body === null) throw new ConnectionLost();
      try {
        const sent = await readAnswer<SentMessage>(serverEvents(answer.body), parts, failureOf);
        if (sent !== null) return sent;
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
