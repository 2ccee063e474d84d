import type { Feedback, Message, SentMessage, SourceDocument } from "../shared/api.ts";
import { strings } from "../shared/strings.ts";

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

export const newTurn = {
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
export const unanswered = { state: "ended", notice: strings.unanswered } as const;

export const toSource = ({ content, page, headings, columns }: SourceDocument["metadata"]): Source => ({
  text: content ?? "",
  page,
  headings,
  columns: columns ?? [],
});

export const toTurn = ({ id, isSystem, message, createdAt, sourceDocuments, feedback }: Message): Turn => ({
  ...newTurn,
  id,
  isAnswer: isSystem,
  text: message,
  sentAt: Date.parse(createdAt),
  sources: sourceDocuments.map(({ metadata }) => toSource(metadata)),
  messageId: id,
  feedback: feedback ?? null,
});
