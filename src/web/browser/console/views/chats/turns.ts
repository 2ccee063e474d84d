import type { Feedback, Message, Receipt } from "../../../shared/api.ts";
import { type Passage, toPassage } from "../answers/passages.ts";

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
  /** The stored answer's id; null while it is written, and of one that was not stored. */
  messageId: string | null;
  /** What the reader said of it. */
  feedback: Feedback | null;
  /** `unanswered`: a question whose answer failed or was lost. */
  phase: "whole" | "writing" | "stopped" | "unanswered";
  failure: unknown;
}

/** Somebody who talks in a chat. */
interface Person {
  userId: string;
  messages: number;
}

export const newTurn = (part: Partial<Turn> & Pick<Turn, "id" | "userId">): Turn => ({
  isAnswer: false,
  text: "",
  sentAt: null,
  passages: [],
  receipt: null,
  messageId: null,
  feedback: null,
  phase: "whole",
  failure: null,
  ...part,
});

export const toTurn = ({ id, isSystem, userId, message, createdAt, sourceDocuments, feedback }: Message): Turn =>
  newTurn({
    id,
    isAnswer: isSystem,
    userId: userId ?? "",
    text: message,
    sentAt: createdAt,
    passages: sourceDocuments.map(toPassage),
    messageId: id,
    feedback: feedback ?? null,
  });

/** A question that is followed by no answer in its own conversation has none. */
export const withUnanswered = (turns: readonly Turn[]): Turn[] => {
  const last = new Map<string, Turn>();
  for (const one of turns) last.set(one.userId, one);
  return turns.map((one) => (last.get(one.userId) === one && !one.isAnswer ? { ...one, phase: "unanswered" } : one));
};

/** Everybody who talks in a chat, `ownId` first, then by their newest message. */
export const peopleIn = (turns: readonly Turn[], ownId: string): Person[] => {
  const counts = new Map<string, number>([[ownId, 0]]);
  for (const { userId, isAnswer } of turns.toReversed())
    counts.set(userId, (counts.get(userId) ?? 0) + (isAnswer ? 0 : 1));
  return [...counts].map(([userId, messages]) => ({ userId, messages }));
};
