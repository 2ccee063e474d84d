import { createKeyedMutex } from "../async/keyed-mutex.ts";
import { ApiError, invalidField } from "../domain/errors.ts";
import { notFound } from "../domain/ids.ts";
import type { DocumentRecord, IdempotentRequest, Principal } from "../domain/records.ts";
import { hashText } from "../ingest/index/analyzed-text.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { idempotencyKeyPattern } from "./ingest-schema.ts";

/** The answer to a request. */
export interface StoredAnswer {
  status: number;
  body: { id: string; text: string | null; originalText: string | null };
}

/** An answer as stored: without the text, which the document has. */
interface KeptAnswer extends StoredAnswer {
  /** SHA-256 of the answer's text, hex; null where it had none. */
  textHash: string | null;
}

interface IdempotentIngest {
  /** Value of the header `Idempotency-Key`. */
  key: string;
  /** The request as JSON: requests with equal JSON are the same. */
  request: unknown;
  /** Executes the request; a new document gets this id. */
  run(documentId: string): Promise<StoredAnswer>;
  /** The answer for a document as it is now: where an earlier run was cut off, or the text changed since. */
  describe(document: DocumentRecord): Promise<StoredAnswer>;
}

/** Answers each request with an idempotency key once. */
type Idempotency = (principal: Principal, ingest: IdempotentIngest) => Promise<StoredAnswer>;

const rememberedMs = 24 * 60 * 60 * 1000;
const sweepEveryMs = 60 * 60 * 1000;

/**
 * Remembers requests for 24 hours, also after a crash: the id of the document is stored before the document is. A
 * request that arrives while the first one with its key runs waits for that answer. A failed request is forgotten, so
 * that it can be repeated. The text of an answer is read from the document.
 */
export const createIdempotency = (
  { idempotency, documents, ages }: Pick<Store, "idempotency" | "documents" | "ages">,
  log: Logger,
): Idempotency => {
  const serialize = createKeyedMutex();
  let sweptAt = Number.NEGATIVE_INFINITY;

  const sweep = async (): Promise<void> => {
    if (performance.now() - sweptAt < sweepEveryMs) return;
    sweptAt = performance.now();
    while ((await idempotency.removeOlder(rememberedMs)) > 0);
  };

  /** The first answer; null where the document has another text by now. */
  const withText = async ({ status, body, textHash }: KeptAnswer, document: DocumentRecord) => {
    if (textHash === null) return { status, body };
    const text = await documents.getText(document);
    return text === null || hashText(text) !== textHash
      ? null
      : { status, body: { ...body, originalText: text, text } };
  };

  /** The document is stored: the request has succeeded even if its answer cannot be kept, for example on a full disk. */
  const keep = async (remembered: IdempotentRequest): Promise<void> => {
    try {
      await idempotency.put(remembered);
    } catch (error) {
      log.warn({ err: error, documentId: remembered.documentId }, "the answer to a request with a key was not kept");
    }
  };

  return (principal, { key, request, run, describe }) => {
    checkKey(key);
    const { organizationId, partitionId, userId } = principal;
    const id = hashText(JSON.stringify([organizationId, partitionId, userId, key]));
    const requestHash = hashText(JSON.stringify(request));
    return serialize(id, async () => {
      await sweep();
      const found = await idempotency.get(id);
      const known = found !== null && ages.of(found.createdAt) < rememberedMs ? found : null;
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
      const remembered = known ?? {
        id,
        requestHash,
        documentId: Bun.randomUUIDv7(),
        answer: null,
        createdAt: Date.now(),
      };
      if (known === null) await idempotency.put(remembered);
      let answer: StoredAnswer;
      try {
        answer = made === null ? await run(remembered.documentId) : await describe(made);
      } catch (error) {
        await idempotency.remove(id);
        throw error;
      }
      await keep({ ...remembered, ...keepAnswer(answer) });
      return answer;
    });
  };
};

/** Null where the request was cut off before its answer. */
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

const checkKey = (key: string): void => {
  if (!idempotencyKeyPattern.test(key)) {
    throw invalidField("Idempotency-Key", "must be 1 to 255 printable ASCII characters");
  }
};
