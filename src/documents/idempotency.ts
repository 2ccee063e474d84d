import { createHash } from "node:crypto";
import { ApiError, invalidField } from "../errors.ts";
import type { Principal } from "../http/endpoint.ts";
import type { Store } from "../store/contract.ts";
import { createKeyedMutex } from "../store/keyed-mutex.ts";
import type { DocumentRecord } from "../store/records.ts";
import { idempotencyKeyPattern } from "./schema.ts";

/** What a request is answered with. */
export interface StoredAnswer {
  status: number;
  body: object;
}

export interface IdempotentIngest {
  /** Value of the header `Idempotency-Key`. */
  key: string;
  /** What is asked for, as JSON: equal requests are the same. */
  request: unknown;
  /** Carries the request out; a document that is made gets this id. */
  run(documentId: string): Promise<StoredAnswer>;
  /** The answer for a document that an earlier, cut off run of the request left. */
  describe(document: DocumentRecord): Promise<StoredAnswer>;
}

/** Answers each request with an idempotency key once. */
export type Idempotency = (principal: Principal, ingest: IdempotentIngest) => Promise<StoredAnswer>;

const REMEMBERED_MS = 24 * 60 * 60 * 1000;
/** A longer answer is not kept: it is made again from the document. */
const MOST_ANSWER_CHARACTERS = 1_048_576;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/**
 * Remembers requests for 24 hours, over a crash too: the id of the document is fixed and stored before it is made. A
 * request that comes while the first of its key runs waits for that one's answer. What failed is forgotten, so that it
 * can be tried again.
 */
export const createIdempotency = ({
  idempotency,
  documents,
}: Pick<Store, "idempotency" | "documents">): Idempotency => {
  const serialise = createKeyedMutex();
  let sweptAt = 0;

  const sweep = async (now: number): Promise<void> => {
    if (now - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = now;
    while ((await idempotency.removeBefore(now - REMEMBERED_MS)) > 0);
  };

  return (principal, { key, request, run, describe }) => {
    checkKey(key);
    const { organizationId, partitionId, userId } = principal;
    const id = sha256(JSON.stringify([organizationId, partitionId, userId, key]));
    const requestHash = sha256(JSON.stringify(request));
    return serialise(id, async () => {
      const now = Date.now();
      await sweep(now);
      const found = await idempotency.get(id);
      const known = found !== null && found.createdAt > now - REMEMBERED_MS ? found : null;
      if (known !== null && known.requestHash !== requestHash) {
        throw new ApiError(
          "idempotency_conflict",
          "This Idempotency-Key came with another request in the last 24 hours. Use a new key for a new request.",
        );
      }
      if (known?.answer) return JSON.parse(known.answer) as StoredAnswer;
      const remembered = known ?? { id, requestHash, documentId: Bun.randomUUIDv7(), answer: null, createdAt: now };
      if (known === null) await idempotency.put(remembered);
      const made = known === null ? null : await documents.get(principal, known.documentId);
      try {
        const answer = made === null ? await run(remembered.documentId) : await describe(made);
        const written = JSON.stringify(answer);
        if (written.length <= MOST_ANSWER_CHARACTERS) await idempotency.put({ ...remembered, answer: written });
        return answer;
      } catch (error) {
        await idempotency.remove(id);
        throw error;
      }
    });
  };
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const allowedKey = new RegExp(idempotencyKeyPattern);

const checkKey = (key: string): void => {
  if (!allowedKey.test(key)) {
    throw invalidField("Idempotency-Key", "must be 1 to 255 printable ASCII characters");
  }
};
