import type { Receipt } from "../answers/answer-event.ts";
import { snippetOfSource, sourceDocument } from "../answers/answer-json.ts";
import { type AskDependencies, ask } from "../answers/ask.ts";
import { defaultSnippets } from "../answers/read-question.ts";
import type { Question } from "../answers/reading/question.ts";
import { checkScope } from "../answers/scope.ts";
import { createTurns, type Turns } from "../async/turns.ts";
import { ApiError } from "../domain/errors.ts";
import { notFound } from "../domain/ids.ts";
import type { Chat, Message, Tenant } from "../domain/records.ts";
import type { FoundSnippet } from "../retrieval/contract.ts";
import type { Store } from "../store/contract.ts";
import { nameFromMessage } from "./chats.ts";

export interface ChatQueues {
  /** The messages of one conversation are answered one after another. */
  threads: Turns;
  /** Held while a chat is written to or deleted. */
  chatLocks: Turns;
}

/** Far more than a person sends before the first answer arrives. */
const maxWaiting = 100;

export const createChatQueues = (): ChatQueues => ({ threads: createLine(), chatLocks: createLine() });

/** One turn at a time for each chat or conversation. */
const createLine = (): Turns =>
  createTurns({ concurrency: Number.POSITIVE_INFINITY, maxOf: () => 1, maxWaiting, tooManyWait });

const tooManyWait = (): ApiError =>
  new ApiError("overloaded", "Too many messages wait for an answer in this conversation: send it again later.", {
    headers: { "Retry-After": "5" },
  });

/**
 * Stores a message, unless its chat has been deleted: a deleted chat leaves no message behind. The first message gives
 * an unnamed chat its name.
 * @throws ApiError chat_not_found
 */
const storeMessage = async (
  deps: { store: Pick<Store, "chats" | "messages">; chatLocks: Turns },
  tenant: Tenant,
  message: Message,
  signal: AbortSignal,
): Promise<void> => {
  const unlock = await deps.chatLocks.take(message.chatId, signal);
  try {
    const chat = await deps.store.chats.get(tenant, message.chatId);
    if (chat === null) throw notFound("chat_not_found");
    await deps.store.messages.add(message);
    if (!chat.named && !message.isSystem) {
      await deps.store.chats.patch(tenant, chat.id, { name: nameFromMessage(message.message), named: true });
    }
  } finally {
    unlock();
  }
};

interface MessageDependencies extends AskDependencies, ChatQueues {
  store: Pick<Store, "chats" | "messages" | "documents" | "partitions" | "openSnippets" | "damage">;
}

/** The sender of a message, and its conversation within the chat. */
export interface Sender {
  userId: string;
  thread: string;
  /** A stranger on a public chat. */
  isVisitor: boolean;
  /** Names the receipt of the answer. */
  receiptId: string;
}

export type MessageEvent =
  | { type: "snippets"; snippets: FoundSnippet[] }
  | { type: "delta"; text: string }
  | { type: "done"; message: Message; receipt: Receipt };

/** How many earlier messages are read for a follow-up. */
const maxHistoryMessages = 20;

/**
 * Stores the message, answers it from the chat's scope with the thread's earlier turns in mind, and stores the answer,
 * whose message comes with `done`. The messages of one thread are answered one after another. If answering
 * fails, the sent message stays stored.
 * @throws ApiError chat_scope_gone (nothing is stored), chat_not_found where the chat was deleted meanwhile, overloaded,
 * question_too_long
 * @throws ProviderError of the answering model
 */
export async function* sendMessage(
  deps: MessageDependencies,
  tenant: Tenant,
  chat: Chat,
  sender: Sender,
  text: string,
  signal: AbortSignal,
): AsyncGenerator<MessageEvent, void, undefined> {
  const endTurn = await deps.threads.take(`${chat.id}/${sender.thread}`, signal);
  try {
    await checkChatScope(deps.store, tenant, chat);
    const { thread } = sender;
    const earlier = await deps.store.messages.list(tenant, chat.id, { thread, limit: maxHistoryMessages });
    // Times increase within a thread even where the clock goes back: they define its order.
    const sentAt = Math.max(Date.now(), (earlier.at(-1)?.createdAt ?? 0) + 1);
    const base = { organizationId: chat.organizationId, chatId: chat.id, thread, userId: sender.userId };
    const sent: Message = {
      ...base,
      id: Bun.randomUUIDv7(),
      isSystem: false,
      message: text,
      sourceDocuments: [],
      createdAt: sentAt,
    };
    await storeMessage(deps, tenant, sent, signal);

    const id = Bun.randomUUIDv7();
    const question = { ...toQuestion(chat, earlier, text, sender), message: { chatId: chat.id, id, thread } };
    for await (const event of ask(deps, tenant, question, signal)) {
      if (event.type !== "done") {
        yield event;
        continue;
      }
      const { answer, snippets, receipt } = event.answer;
      const message: Message = {
        ...base,
        id,
        isSystem: true,
        message: answer ?? "",
        sourceDocuments: snippets.map(sourceDocument),
        createdAt: Math.max(Date.now(), sentAt + 1),
      };
      await storeMessage(deps, tenant, message, signal);
      // All is stored: a client that reads the last event slowly does not delay the next message.
      endTurn();
      yield { type: "done", message, receipt };
    }
  } finally {
    endTurn();
  }
}

const toQuestion = (
  chat: Chat,
  earlier: readonly Message[],
  query: string,
  { isVisitor, receiptId }: Sender,
): Question => ({
  isVisitor,
  receiptId,
  query,
  history: earlier.map(({ isSystem, message }) => ({ role: isSystem ? "assistant" : "user", text: message })),
  documentId: chat.documentId,
  partitionId: chat.partitionId,
  metadata: null,
  limit: defaultSnippets,
  prompt: null,
  wantsAnswer: true,
  lastSnippets: (earlier.findLast(({ isSystem }) => isSystem)?.sourceDocuments ?? []).flatMap(snippetOfSource),
});

const goneReasons: Partial<Record<ApiError["code"], string>> = {
  document_not_found: "The document that this chat is about was deleted.",
  partition_not_found: "The partition that this chat is about was deleted.",
  scope_conflict: "The document that this chat is about is no longer in the chat's partition.",
};

const checkChatScope = async (store: MessageDependencies["store"], tenant: Tenant, chat: Chat): Promise<void> => {
  try {
    await checkScope(store, tenant, chat);
  } catch (error) {
    const reason = error instanceof ApiError ? goneReasons[error.code] : undefined;
    if (reason === undefined) throw error;
    throw new ApiError("chat_scope_gone", `${reason} Its messages can still be read.`, { cause: error });
  }
};
