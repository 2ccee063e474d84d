import { batch, computed, signal } from "@preact/signals";
import type { Chat, ChatWithMessages, Feedback, Receipt, SentMessage } from "../../../shared/api.ts";
import { type Client, Unreachable } from "../../state/client.ts";
import { streamAnswer, waitForServer } from "../answers/answer-stream.ts";
import { createDocumentNames } from "../answers/document-names.ts";
import { newTurn, peopleIn, type Turn, toTurn, withUnanswered } from "./turns.ts";

/** The server's name for a chat without one. */
const unnamed = "New chat";

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

  /** Shows the answer to a message as it arrives. @throws see `streamAnswer` */
  const readAnswer = async (answerId: string, message: string, signal: AbortSignal): Promise<void> => {
    const show = (part: Partial<Turn>): void => change(answerId, part);
    const answer = await streamAnswer<SentMessage>({ client, names }, `${address}/message`, { message }, show, signal);
    names.want([answer.receipt?.computed?.documentId ?? null]);
    if (answer.receipt !== null) receipts.set(answer.id, answer.receipt);
    change(answerId, { ...toTurn(answer), id: answerId, receipt: answer.receipt });
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
        newTurn({ id: questionId, userId: ownId, text, sentAt: new Date().toISOString() }),
        newTurn({ id: answerId, userId: ownId, isAnswer: true, phase: "writing" }),
      ];
    });
    let isLost = false;
    try {
      await readAnswer(answerId, text, stop.signal);
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
    /** See `peopleIn`. */
    people: computed(() => peopleIn(turns.value, ownId)),
    load,
    send,
    /** Keeps what was said of an answer. */
    rated: (id: string, feedback: Feedback | null) => change(id, { feedback }),
    stop: () => running?.abort(),
    async change(settings: object) {
      chat.value = await client.send<Chat>("PUT", address, settings, closed.signal);
    },
    /** The view is left: what waits for the server no longer does. An answer goes on until it is there. */
    close: () => closed.abort(),
  };
};

export type ThreadState = ReturnType<typeof createThreadState>;
