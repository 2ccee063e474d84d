/** A conversation of this visitor with a chat. The server knows it by its token alone. */
interface Conversation {
  token: string;
  /** First words of the visitor; empty before the first message. */
  title: string;
  startedAt: number;
}

/** The visitor's conversations with one chat, newest first, kept in the browser. */
export interface Conversations {
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
export const createConversations = (chatId: string): Conversations => {
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
