/** What a stored store holds: `expected.json` in its archive. */
export interface Expected {
  schema: number;
  keys: { admin: string; limited: string; second: string };
  /** `text` is null for the one that failed. */
  documents: { id: string; name: string; text: string | null; organization: string; status: string }[];
  /** Stands only in a document that was removed. */
  removedWord: string;
  removedId: string;
  /** The limited key's partition. */
  partitionId: string;
  chats: { talk: string; widened: string };
  /** Of `talk`, in their order. */
  messages: string[];
  idempotency: { key: string; id: string };
}
