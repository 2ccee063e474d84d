/** What the server that is tried holds, and who may ask it. */
export interface Place {
  documentId: string;
  partitionId: string;
  otherPartitionId: string;
  chatId: string;
  publicChatId: string;
  keys: Record<"admin" | "reader" | "writer" | "limited" | "expired" | "revoked", string>;
}

/** One input that should be refused, or do no harm. */
export interface BadInput {
  what: string;
  method?: string;
  path: string;
  /** Whose key goes with it; admin's unless given. */
  as?: keyof Place["keys"] | null;
  json?: unknown;
  body?: string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams;
  headers?: Record<string, string>;
  /** Sent over a plain connection in place of all else; the server's first bytes are the answer. */
  raw?: string;
}

export interface Group {
  title: string;
  cases(place: Place): BadInput[];
}

/** An id of the right form that nothing has. */
export const noId = "01890000-0000-7000-8000-000000000000";
