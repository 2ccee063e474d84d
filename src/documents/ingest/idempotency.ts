import { createHash } from "node:crypto";
import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import { ApiError, invalidField } from "../../domain/errors.ts";
import { notFound } from "../../domain/ids.ts";
import type { Principal } from "../../domain/principal.ts";
import type { DocumentRecord, IdempotentRequest } from "../../domain/records.ts";
import { hashText } from "../../ingest/index/analyzed-text.ts";
import type { Store } from "../../store/contract.ts";
import { idempotencyKeyPattern } from "./schema.ts";

/** What a request is answered with. */
export interface StoredAnswer {
  status: number;
  body: { id: string; text: string | null; originalText: string | null };
}

/** An answer as it is kept: without the text, which is the document's. */
interface KeptAnswer extends StoredAnswer {
  /** SHA-256 of the text that the answer held, hex; null where it held none. */
  textHash: string | null;
}

export interface IdempotentIngest {
  /** Value of the header `Idempotency-Key`. */
  key: string;
  /** What is asked for, as JSON: equal requests are the same. */
  request: unknown;
  /** Carries the request out; a document that is made gets this id. */
  run(documentId: string): Promise<StoredAnswer>;
  /** The answer for a document as it stands now: where an earlier run of the request was cut off, or its text is another. */
  describe(document: DocumentRecord): Promise<StoredAnswer>;
}

/** Answers each request with an idempotency key once. */
export type Idempotency = (principal: Principal, ingest: IdempotentIngest) => Promise<StoredAnswer>;

const REMEMBERED_MS = 24 * 60 * 60 * 1000;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/**
 * Remembers requests for 24 hours, over a crash too: the id of the document is fixed and stored before it is made. A
 * request that comes while the first of its key runs waits for that one's answer. What failed is forgotten, so that it
 * can be tried again. The text of an answer is not kept: it is the document's, and goes with it.
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

  /** The answer as it was; null where the document has another text by now. */
  const withText = async ({ status, body, textHash }: KeptAnswer, document: DocumentRecord) => {
    if (textHash === null) return { status, body };
    const text = await documents.getText(document);
    return text === null || hashText(text) !== textHash
      ? null
      : { status, body: { ...body, originalText: text, text } };
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
      const made = known === null ? null : await documents.get(principal, known.documentId);
      const kept = known === null ? null : readAnswer(known);
      if (kept !== null) {
        if (made === null) throw notFound("document_not_found");
        return (await withText(kept, made)) ?? (await describe(made));
      }
      const remembered = known ?? { id, requestHash, documentId: Bun.randomUUIDv7(), answer: null, createdAt: now };
      if (known === null) await idempotency.put(remembered);
      try {
        const answer = made === null ? await run(remembered.documentId) : await describe(made);
        await idempotency.put({ ...remembered, ...keepAnswer(answer) });
        return answer;
      } catch (error) {
        await idempotency.remove(id);
        throw error;
      }
    });
  };
};

/** Null: the request was cut off before it was answered. */
const readAnswer = ({ answer }: IdempotentRequest): KeptAnswer | null =>
  answer === null ? null : (JSON.parse(answer) as KeptAnswer);

const keepAnswer = ({ status, body }: StoredAnswer): Pick<IdempotentRequest, "answer" | "documentId"> => {
  const { text } = body;
  const kept: KeptAnswer = {
    textHash: text === null ? null : hashText(text),
    status,
    body: { ...body, originalText: null, text: null },
  };
  return { answer: JSON.stringify(kept), documentId: body.id };
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const checkKey = (key: string): void => {
  if (!idempotencyKeyPattern.test(key)) {
    throw invalidField("Idempotency-Key", "must be 1 to 255 printable ASCII characters");
  }
};
