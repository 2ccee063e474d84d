import { doubtWords } from "../../../answers/doubt.ts";

/** Every text that a visitor of the chat page sees, in one place for translation. */
export const strings = {
  send: "Send",
  stop: "Stop",
  retry: "Try again",
  copy: "Copy",
  copied: "Copied",
  newConversation: "New conversation",
  conversations: "Earlier conversations",
  thisConversation: "This conversation",
  message: "Your question",
  placeholder: "Ask a question",
  you: "You",
  answer: "Answer",
  writing: "Looking in the documents …",
  sources: (count: number) => (count === 1 ? "1 source" : `${count} sources`),
  passagesRead: (count: number) => (count === 1 ? "1 passage that was read" : `${count} passages that were read`),
  morePassages: (count: number) =>
    count === 1 ? "1 more passage that was read" : `${count} more passages that were read`,
  doubt: doubtWords,
  source: (number: number) => `Source ${number}`,
  table: "Table",
  page: (page: number) => `page ${page}`,
  deleted: "This document was deleted.",
  stopped: "You stopped this answer.",
  unreachable: "The server cannot be reached. Trying again …",
  back: "The connection is back.",
  unanswered: "This question has no answer yet.",
  start: "Ask about the documents behind this chat.",
};
