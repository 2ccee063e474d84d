import type { DocumentRecord } from "./records.ts";

/** Whether the document waits for its processing, or is being processed. */
export const isUnfinished = ({ status }: Pick<DocumentRecord, "status">): boolean =>
  status === "pending" || status === "processing";

/** What a record becomes that waits for its first attempt. */
export const waitingFields = {
  status: "pending",
  error: null,
  errorReason: null,
  attempts: 0,
  nextAttemptAt: null,
  begun: 0,
} as const satisfies Partial<DocumentRecord>;
