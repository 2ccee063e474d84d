import { roleAllows } from "../access/key.ts";
import { ApiError } from "../domain/errors.ts";
import { derivedId, isRecordId, notFound } from "../domain/ids.ts";
import type { Feedback, KeptReceipt, Message, Principal, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

type FeedbackStores = Pick<Store, "chats" | "documents" | "feedback" | "messages" | "receipts">;

/** Who speaks of an answer: somebody with a key, or the visitor of a public chat, who may speak of answers to it alone. */
export type Author = { kind: "key"; tenant: Principal; id: string } | { kind: "visitor"; thread: string };

/** The author that a key is. */
export const keyAuthor = (principal: Principal): Author => ({
  kind: "key",
  tenant: principal,
  id: principal.keyId ?? "operator",
});

/** One for each author of an answer. A message is kept for longer than its receipt: it comes first. */
const feedbackId = (author: Author, { messageId, receiptId }: Pick<Feedback, "messageId" | "receiptId">): string =>
  derivedId(`feedback ${author.kind === "key" ? author.id : author.thread}`, messageId ?? receiptId ?? "");

/** What is said of an answer, which its receipt or its message names. */
interface SaidOfAnswer extends Pick<Feedback, "rating" | "reason" | "comment"> {
  receiptId: string | null;
  messageId: string | null;
  expected: { documentId: string | null; text: string | null };
}

type Rated = Pick<Feedback, "organizationId" | "partitionId" | "receiptId" | "messageId" | "chatId" | "question">;

/**
 * Keeps what is said of an answer; said again by the same author, it is replaced.
 * @throws ApiError receipt_not_found, message_not_found, document_not_found
 */
export const giveFeedback = async (store: FeedbackStores, author: Author, said: SaidOfAnswer): Promise<Feedback> => {
  const rated = await ratedBy(store, author, said);
  const { documentId, text } = said.expected;
  // A visitor knows of no documents.
  const expectedDocumentId = author.kind === "visitor" ? null : documentId;
  if (author.kind === "key" && expectedDocumentId !== null) {
    const isThere = isRecordId(expectedDocumentId) && (await store.documents.get(author.tenant, expectedDocumentId));
    if (!isThere) throw notFound("document_not_found", "expected.documentId");
  }
  const feedback: Feedback = {
    ...rated,
    id: feedbackId(author, rated),
    rating: said.rating,
    reason: said.reason,
    comment: said.comment,
    expectedDocumentId,
    expectedText: text,
    isVisitor: author.kind === "visitor",
    createdAt: Date.now(),
  };
  await store.feedback.put(feedback);
  return feedback;
};

/** What the author has said of answers in a chat, by the id of their message. */
export const ownFeedback = async (
  store: Pick<Store, "feedback">,
  author: Author,
  messages: readonly Message[],
): Promise<Map<string, Feedback>> => {
  const ids = messages
    .filter(({ isSystem }) => isSystem)
    .map(({ id }) => feedbackId(author, { messageId: id, receiptId: null }));
  const said = await store.feedback.ofIds(author.kind === "key" ? author.tenant : null, ids);
  return new Map(said.map((one) => [one.messageId ?? "", one]));
};

/**
 * Takes back what was said: the author its own, and who may change records anybody's.
 * @throws ApiError feedback_not_found, role_forbidden
 */
export const takeBackFeedback = async (store: Pick<Store, "feedback">, author: Author, id: string): Promise<void> => {
  const tenant = author.kind === "key" ? author.tenant : null;
  const [said] = isRecordId(id) ? await store.feedback.ofIds(tenant, [id]) : [];
  const isOwn = said !== undefined && said.id === feedbackId(author, said);
  if (author.kind === "key" && !isOwn && !roleAllows(author.tenant.role, "writer"))
    throw new ApiError(
      "role_forbidden",
      `A key of role ${author.tenant.role} takes back what it said itself; this needs one of role writer.`,
    );
  if (said === undefined || (author.kind === "visitor" && !isOwn)) throw notFound("feedback_not_found");
  await store.feedback.remove({ organizationId: said.organizationId, partitionId: null }, id);
};

const ratedBy = async (store: FeedbackStores, author: Author, said: SaidOfAnswer): Promise<Rated> => {
  const tenant = author.kind === "key" ? author.tenant : null;
  const isOwn = (thread: string | null): boolean => author.kind === "key" || thread === author.thread;
  const { receiptId, messageId } = said;
  const receipt =
    receiptId !== null
      ? isRecordId(receiptId)
        ? await store.receipts.get(tenant, receiptId)
        : null
      : await store.receipts.ofMessage(tenant, messageId ?? "");
  if (receipt !== null && isOwn(receipt.thread)) return ofReceipt(receipt);
  if (receiptId !== null) throw notFound("receipt_not_found", "receiptId");
  // Its receipt was not kept, or not for as long.
  const message = messageId !== null && isRecordId(messageId) ? await store.messages.get(tenant, messageId) : null;
  if (message === null || !message.isSystem || !isOwn(message.thread)) throw notFound("message_not_found", "messageId");
  return await ofMessage(store, message, tenant);
};

const ofReceipt = (receipt: KeptReceipt): Rated => {
  const { organizationId, partitionId, id, messageId, chatId, trace } = receipt;
  // A follow-up says little by itself.
  const isFollowUp = trace.followUp !== null && typeof trace.understood === "string";
  const question = isFollowUp ? String(trace.understood) : receipt.question;
  return { organizationId, partitionId, receiptId: id, messageId, chatId, question };
};

const maxMessages = 200;

const ofMessage = async (store: FeedbackStores, message: Message, tenant: Tenant | null): Promise<Rated> => {
  const { organizationId, chatId, id, thread } = message;
  const whose = tenant ?? { organizationId, partitionId: null };
  const chat = await store.chats.get(whose, chatId);
  if (chat === null) throw notFound("message_not_found", "messageId");
  const around = await store.messages.list(whose, chatId, { thread, limit: maxMessages });
  const at = around.findIndex((one) => one.id === id);
  const asked = around.slice(0, Math.max(0, at)).findLast((one) => !one.isSystem);
  const question = asked?.message ?? "";
  return { organizationId, partitionId: chat.partitionId, receiptId: null, messageId: id, chatId, question };
};
