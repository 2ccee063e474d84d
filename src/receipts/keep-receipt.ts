import type { Config } from "../../config/schema.ts";
import { parseDuration } from "../../config/values.ts";
import type { AskedAnswer, KeepReceipt } from "../answers/answer-event.ts";
import type { JsonObject } from "../domain/records.ts";
import { warningText } from "../models/warning.ts";
import type { ReceiptStore } from "../store/contract.ts";

/** How long receipts are kept; 0: not at all. */
export const keptMs = ({ keep }: Config["receipts"]): number => (keep === "0" ? 0 : (parseDuration(keep) ?? 0));

/** What a receipt tells beyond the answer's own: what each search found, what was kept of it, the prompt as it was sent. */
const traceOf = ({ question, answer, retrieval, prompt }: AskedAnswer): JsonObject => {
  const { receipt, snippets, outputTokens } = answer;
  const { documentId, partitionId, metadata } = question;
  // What a model's server said is not kept: a key that may not read it may read this.
  const warnings = receipt.warnings.map((one) => warningText(one, { seesReasons: false, requestId: null }));
  return {
    ...receipt,
    warnings,
    scope: { documentId, partitionId, metadata },
    legs: (retrieval.legs?.() ?? []).map(({ leg, hits }) => ({
      leg,
      hits: hits.map((hit) => ({ ...hit, score: hit.score === null ? null : rounded(hit.score) })),
    })),
    kept: snippets.map(({ id, documentId: of, score, distance }, index) => ({
      mark: index + 1,
      snippetId: id,
      documentId: of,
      score: rounded(score),
      distance: rounded(distance),
    })),
    prompt,
    answer: answer.answer,
    tokens: { prompt: receipt.context.used, output: outputTokens },
  };
};

/** Four digits tell scores apart. */
const rounded = (score: number): number => Math.round(score * 10_000) / 10_000;

/** Keeps the receipts of answers in the store. */
export const createKeepReceipt =
  (receipts: Pick<ReceiptStore, "add">): KeepReceipt =>
  (tenant, asked) => {
    const { question, answer } = asked;
    receipts.add({
      id: question.receiptId,
      organizationId: tenant.organizationId,
      partitionId: tenant.partitionId ?? question.partitionId,
      chatId: question.message?.chatId ?? null,
      messageId: question.message?.id ?? null,
      thread: question.message?.thread ?? null,
      documentIds: answer.documents.map(({ id }) => id),
      question: question.query,
      trace: traceOf(asked),
      createdAt: Date.now(),
    });
  };
