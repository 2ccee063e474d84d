import { batch, computed, signal } from "@preact/signals";
import type { Chat, ChatWithMessages, Message, Receipt, SentMessage } from "../../../../shared/api.ts";
import { type Client, Unreachable } from "../../../client.ts";
import { createDocumentNames } from "../../ask/components/document-names.ts";
import { type Passage, toPassage } from "../../ask/components/passage.ts";
import { streamAnswer, waitForServer } from "../../ask/state/answer-stream.ts";

/** A message as it is shown. */
export interface Turn {
  id: string;
  isAnswer: boolean;
  /** Who sent it, or whom it answers. */
  userId: string;
  text: string;
  /** ISO 8601; null while it is written. */
  sentAt: string | null;
  passages: readonly Passage[];
  /** Of answers that came while the view was open. */
  receipt: Receipt | null;
  /** `unanswered`: a question whose answer failed or was lost. */
  phase: "whole" | "writing" | "stopped" | "unanswered";
  failure: unknown;
}

/** The server's name for a chat without one. */
const unnamed = "New chat";

/** Somebody who talks in a chat. */
export interface Person {
  userId: string;
  messages: number;
}

const turn = (part: Partial<Turn> & Pick<Turn, "id" | "userId">): Turn => ({
  isAnswer: false,
  text: "",
  sentAt: null,
  passages: [],
  receipt: null,
  phase: "whole",
  failure: null,
  ...part,
});

const toTurn = ({ id, isSystem, userId, message, createdAt, sourceDocuments }: Message): Turn =>
  turn({
    id,
    isAnswer: isSystem,
    userId: userId ?? "",
    text: message,
    sentAt: createdAt,
    passages: sourceDocuments.map(toPassage),
  });

/** One chat with its conversations. @param ownId the user as whom messages are sent */
export const createThreadState = (client: Client, chatId: string, ownId: string) => {
  const chat = signal<Chat | null>(null);
  const turns = signal<readonly Turn[]>([]);
  const person = signal(ownId);
  const isAnswering = signal(false);
  const connection = signal<"up" | "lost" | "back">("up");
  const failure = signal<unknown>(null);
  const names = createDocumentNames(client);
  const address = `/api/chat/${encodeURIComponent(chatId)}`;
  const closed = new AbortController();
  const receipts = new Map<string, Receipt>();
  let running: AbortController | null = null;

  const change = (id: string, part: Partial<Turn>): void => {
    turns.value = turns.peek().map((one) => (one.id === id ? { ...one, ...part } : one));
  };

  /** Reads the chat and its messages; receipts of answers that were written here are kept. */
  const load = async (): Promise<void> => {
    try {
      const { messages, ...settings } = await client.get<ChatWithMessages>(address, {}, closed.signal);
      if (isAnswering.peek()) return;
      const read = messages.map(toTurn).map((one) => ({ ...one, receipt: receipts.get(one.id) ?? null }));
      names.want(read.flatMap(({ passages }) => passages.map(({ documentId }) => documentId)));
      batch(() => {
        chat.value = settings;
        turns.value = withUnanswered(read);
        failure.value = null;
      });
    } catch (error) {
      if (!closed.signal.aborted) failure.value = error;
    }
  };

  const send = async (text: string): Promise<void> => {
    if (isAnswering.peek() || text.trim() === "") return;
    const stop = new AbortController();
    running = stop;
    const questionId = crypto.randomUUID();
    const answerId = crypto.randomUUID();
    batch(() => {
      isAnswering.value = true;
      connection.value = "up";
      person.value = ownId;
      turns.value = [
        ...turns.peek(),
        turn({ id: questionId, userId: ownId, text, sentAt: new Date().toISOString() }),
        turn({ id: answerId, userId: ownId, isAnswer: true, phase: "writing" }),
      ];
    });
    let isLost = false;
    try {
      const events = streamAnswer<SentMessage>(client, `${address}/message`, { message: text }, stop.signal);
      for await (const { event, data } of events) {
        if (event === "snippets") {
          const passages = data.map(toPassage);
          names.want(passages.map(({ documentId }) => documentId));
          change(answerId, { passages });
        } else if (event === "delta") {
          const before = turns.peek().find(({ id }) => id === answerId)?.text ?? "";
          change(answerId, { text: before + data.text });
        } else {
          if (data.receipt !== null) receipts.set(data.id, data.receipt);
          change(answerId, { ...toTurn(data), id: answerId, receipt: data.receipt });
        }
      }
    } catch (error) {
      isLost = error instanceof Unreachable && !stop.signal.aborted;
      if (!isLost) change(answerId, { phase: "stopped", failure: stop.signal.aborted ? null : error });
    } finally {
      isAnswering.value = false;
    }
    if (isLost) await recover();
    else if (chat.peek()?.name === unnamed) await readName();
  };

  /** The first message names a chat that has no name. */
  const readName = async (): Promise<void> => {
    const read = await client.get<ChatWithMessages>(address, { userId: ownId }, closed.signal).catch(() => null);
    if (read !== null && chat.value !== null) chat.value = { ...chat.value, name: read.name };
  };

  /** Waits for the server and reads what it has stored. */
  const recover = async (): Promise<void> => {
    connection.value = "lost";
    try {
      await waitForServer(client, closed.signal);
    } catch {
      return;
    }
    connection.value = "back";
    await load();
  };

  return {
    chat,
    turns,
    person,
    isAnswering,
    connection,
    failure,
    names,
    ownId,
    /** Everybody who talks in the chat, oneself first, then by their newest message. */
    people: computed<readonly Person[]>(() => {
      const counts = new Map<string, number>([[ownId, 0]]);
      for (const { userId, isAnswer } of turns.value.toReversed())
        counts.set(userId, (counts.get(userId) ?? 0) + (isAnswer ? 0 : 1));
      return [...counts].map(([userId, messages]) => ({ userId, messages }));
    }),
    load,
    send,
    stop: () => running?.abort(),
    async change(settings: object) {
      chat.value = await client.send<Chat>("PUT", address, settings, closed.signal);
    },
    /** The view is left: what waits for the server no longer does. An answer goes on until it is there. */
    close: () => closed.abort(),
  };
};

export type ThreadState = ReturnType<typeof createThreadState>;

/** A question that is followed by no answer in its own conversation has none. */
const withUnanswered = (turns: readonly Turn[]): Turn[] => {
  const last = new Map<string, Turn>();
  for (const one of turns) last.set(one.userId, one);
  return turns.map((one) => (last.get(one.userId) === one && !one.isAnswer ? { ...one, phase: "unanswered" } : one));
};
