import { Type } from "@sinclair/typebox";
import type { Config } from "../../config/schema.ts";
import { checkOrigin, recognizeVisitor, visitorThread } from "../access/visitor.ts";
import type { VisitorLimits } from "../access/visitor-limits.ts";
import { receiptExample, snippetExample } from "../answers/examples.ts";
import { ApiError, invalidField } from "../domain/errors.ts";
import { isRecordId, notFound } from "../domain/ids.ts";
import { readTime } from "../domain/times.ts";
import { type Call, type Endpoint, endpoint } from "../http/endpoint.ts";
import { listResponse } from "../http/respond.ts";
import { deletedSchema, idParams, toPaging } from "../http/schema/fields.ts";
import type { Store } from "../store/contract.ts";
import { type Author, giveFeedback, keyAuthor, takeBackFeedback } from "./feedback.ts";
import {
  feedbackBody,
  feedbackJson,
  feedbackQuery,
  feedbackSchema,
  keptReceiptJson,
  keptReceiptSchema,
} from "./schema.ts";

const tag = "Feedback";

const { content: _content, ...place } = snippetExample.metadata;
const hit = { snippetId: place.id, documentId: place.documentUploadId };
const keptExample = {
  ...receiptExample,
  createdAt: "2026-01-31T09:30:00.000Z",
  chatId: null,
  messageId: null,
  question: "When does the reading room open in winter?",
  scope: { documentId: null, partitionId: null, metadata: null },
  legs: [{ leg: "text", hits: [{ ...hit, score: 8.42 }] }],
  kept: [{ mark: 1, ...hit, score: 0.91, distance: 0.31 }],
  prompt: null,
  answer: "In winter the reading room opens at nine. [1]",
  tokens: { prompt: 12, output: null },
};
const feedbackExample = {
  id: "0197a1c9-02aa-7b1e-8c55-90d3e7a4b612",
  createdAt: "2026-01-31T09:31:00.000Z",
  receiptId: receiptExample.id,
  messageId: null,
  chatId: null,
  partitionId: null,
  question: keptExample.question,
  rating: "down" as const,
  reason: "not_found" as const,
  comment: null,
  expected: { documentId: place.documentUploadId, text: "opens at nine" },
  byVisitor: false,
};

/** `/api/receipt` and `/api/feedback`: how answers came about, and what people say of them. */
export const receiptEndpoints = (deps: { config: Config; store: Store }, limits: VisitorLimits): Endpoint[] => {
  const { config, store } = deps;

  const authorOf = (call: Call<unknown, unknown, unknown, "visitor">): Author => {
    const { principal, request, baseUrl } = call;
    if (principal !== null) return keyAuthor(principal);
    const visitor = recognizeVisitor(request, {
      secret: store.secret,
      tokenDays: config.publicChats.visitorTokenDays,
      baseUrl,
      now: Date.now(),
      ages: store.ages,
    });
    if (visitor.isKnown) return { kind: "visitor", thread: visitorThread(visitor.id) };
    throw new ApiError("key_missing", "Send an API key, or the visitor token that came with the answer.");
  };

  const admit: NonNullable<Endpoint<"visitor">["admit"]> = async ({ principal, clientAddress, request, baseUrl }) => {
    if (principal !== null) return;
    await limits.admit(clientAddress);
    checkOrigin(request, baseUrl, config);
  };

  return [
    endpoint({
      method: "GET",
      path: "/api/receipt/:id",
      ofWriter: true,
      operationId: "getReceipt",
      access: "reader",
      tag,
      summary: "See how an answer came about",
      description:
        "By its id, or by that of the answer's message in a chat. Receipts are kept for `receipts.keep`, and erased with the documents and the chat that they name.",
      params: idParams,
      responses: { 200: keptReceiptSchema },
      errors: ["receipt_not_found"],
      example: { response: keptExample },
      async handle({ principal, params }) {
        const receipt = isRecordId(params.id)
          ? ((await store.receipts.get(principal, params.id)) ?? (await store.receipts.ofMessage(principal, params.id)))
          : null;
        if (receipt === null) throw notFound("receipt_not_found");
        return keptReceiptJson(receipt);
      },
    }),
    endpoint({
      method: "POST",
      path: "/api/feedback",
      operationId: "giveFeedback",
      access: "visitor",
      tag,
      summary: "Say whether an answer was right",
      description:
        "With a key, of any answer that it may see; a visitor of a public chat of its own answers. Said again, it is replaced.",
      body: feedbackBody,
      responses: { 200: feedbackSchema },
      errors: ["receipt_not_found", "message_not_found", "document_not_found", "origin_forbidden", "rate_limited"],
      example: {
        request: {
          receiptId: receiptExample.id,
          rating: "down",
          reason: "not_found",
          expected: feedbackExample.expected,
        },
        response: feedbackExample,
      },
      admit,
      async handle(call) {
        const author = authorOf(call);
        const { receiptId = null, messageId = null, rating, reason = null, comment, expected } = call.body;
        if ((receiptId === null) === (messageId === null))
          throw invalidField("receiptId", "must be there or `messageId`, and not both");
        const feedback = await giveFeedback(store, author, {
          receiptId,
          messageId,
          rating,
          reason,
          comment: comment?.trim() ? comment : null,
          expected: { documentId: expected?.documentId ?? null, text: expected?.text?.trim() ? expected.text : null },
        });
        return feedbackJson(feedback, author.kind === "visitor");
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/feedback",
      ofWriter: true,
      operationId: "listFeedback",
      access: "writer",
      tag,
      summary: "List what was said of answers",
      description: "Newest first. `X-Total-Count` holds the number of all that match.",
      query: feedbackQuery,
      responses: { 200: Type.Array(feedbackSchema) },
      errors: ["invalid_request"],
      example: { response: [feedbackExample] },
      async handle({ principal, query }) {
        const { rating, since } = query;
        const filter = {
          ...(rating === undefined ? {} : { rating }),
          ...(since === undefined ? {} : { since: readTime("since", since) }),
        };
        return listResponse(await store.feedback.list(principal, filter, toPaging(query)), (one) => feedbackJson(one));
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/api/feedback/:id",
      operationId: "deleteFeedback",
      access: "visitor",
      tag,
      summary: "Take feedback back",
      description:
        "Readers take back what they said themselves, writers and admins what anybody said; a visitor of a public chat its own.",
      params: idParams,
      responses: { 200: deletedSchema },
      errors: ["feedback_not_found", "role_forbidden", "origin_forbidden", "rate_limited"],
      example: { response: { id: feedbackExample.id, deleted: true } },
      admit,
      async handle(call) {
        const { id } = call.params;
        await takeBackFeedback(store, authorOf(call), id);
        return { id, deleted: true };
      },
    }),
  ] as Endpoint[];
};
