import type { Receipt } from "../answers/answer-event.ts";
import { type receiptJson, sourceDocumentForVisitor } from "../answers/answer-json.ts";
import { doubtOf } from "../answers/doubt.ts";
import type { Chat, Feedback, Message } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { feedbackJson } from "../receipts/schema.ts";

/** A chat as its organization sees it. */
export const chatJson = (chat: Chat) => ({
  id: chat.id,
  createdAt: isoTime(chat.createdAt),
  name: chat.name as string | null,
  userId: chat.userId as string | null,
  organizationId: chat.organizationId as string | null,
  documentId: chat.documentId,
  partitionId: chat.partitionId,
  public: chat.public,
  title: chat.title,
  logoUrl: chat.logoUrl,
  brandSettings: chat.brandSettings,
});

const maxBrandText = 200;

/** The brand as the page of the chat draws it, by the names that it is kept under; all else is the organization's own. */
export const drawnBrand = ({ brandSettings }: Pick<Chat, "brandSettings">): Record<string, string> | null => {
  const drawn = ["color", "colour", "primaryColor", "accentColor", "placeholder"].flatMap((name) => {
    const value = brandSettings?.[name];
    return typeof value === "string" ? [[name, value.slice(0, maxBrandText)] as const] : [];
  });
  return drawn.length === 0 ? null : Object.fromEntries(drawn);
};

/** For a visitor: only the chat's own id, and no name, which may be another visitor's first words. */
export const chatJsonForVisitor = (chat: Chat): ReturnType<typeof chatJson> => ({
  ...chatJson(chat),
  name: null,
  userId: null,
  organizationId: null,
  documentId: null,
  partitionId: null,
  brandSettings: drawnBrand(chat),
});

/** A message as the chat's organization sees it. */
const messageJson = (message: Message) => ({
  id: message.id,
  message: message.message,
  isSystem: message.isSystem,
  organizationId: message.organizationId as string | null,
  chatId: message.chatId,
  createdAt: isoTime(message.createdAt),
  userId: message.userId as string | null,
  sourceDocuments: message.sourceDocuments as object[],
});

/** A stored message, with what the reader said of it. */
export const readMessageJson = (message: Message, said: Feedback | undefined) => ({
  ...messageJson(message),
  ...(said === undefined ? {} : { feedback: feedbackJson(said) }),
});

/** A message for the visitor who sent it. */
const messageJsonForVisitor = (message: Message): ReturnType<typeof messageJson> => ({
  ...messageJson(message),
  organizationId: null,
  userId: null,
  sourceDocuments: message.sourceDocuments.map(sourceDocumentForVisitor),
});

/** The same with what the visitor said of it. */
export const readMessageJsonForVisitor = (
  message: Message,
  said: Feedback | undefined,
): ReturnType<typeof readMessageJson> => ({
  ...messageJsonForVisitor(message),
  ...(said === undefined ? {} : { feedback: feedbackJson(said, true) }),
});

/** The answer to a sent message. */
export const sentMessageJson = (message: Message, receipt: ReturnType<typeof receiptJson>) => ({
  ...messageJson(message),
  doubt: doubtOf(receipt),
  receipt,
});

/** The same for a visitor, who is not shown the organization's documents and models. */
export const sentMessageJsonForVisitor = (message: Message, receipt: Receipt) => ({
  ...messageJsonForVisitor(message),
  doubt: doubtOf(receipt),
  receipt: null,
});
