import { type Static, Type } from "@sinclair/typebox";
import { receiptSchema } from "../answers/receipt-schema.ts";
import { type Feedback, feedbackReasons, type KeptReceipt, maxFeedbackCharacters, ratings } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { choiceField, idField, nullable, pagingFields, textField, timeField } from "../http/schema/fields.ts";

const hit = Type.Object({
  snippetId: Type.String(),
  documentId: Type.String(),
  score: nullable(Type.Number({ description: "BM25 of the full text, or the cosine of the vectors." })),
});

export const keptReceiptSchema = Type.Object(
  {
    ...receiptSchema.properties,
    createdAt: timeField("When it was answered."),
    chatId: nullable(Type.String()),
    messageId: nullable(Type.String({ description: "The answer's message in a chat." })),
    question: Type.String({ description: "The question as it was sent." }),
    scope: Type.Object({
      documentId: nullable(Type.String()),
      partitionId: nullable(Type.String()),
      metadata: Type.Unknown(),
    }),
    legs: Type.Array(
      Type.Object({
        leg: choiceField(["text", "vectors", "model_vectors"], {
          description: "Full text, the vectors of the search index, those of the configured model.",
        }),
        hits: Type.Array(hit, { description: "Best first, at most 50." }),
      }),
      { description: "What each search found; empty where nothing was searched for." },
    ),
    kept: Type.Array(
      Type.Object({
        mark: Type.Integer({ description: "`1` is `[1]` in the answer." }),
        snippetId: Type.String(),
        documentId: Type.String(),
        score: Type.Number({ description: "All scores together, 0 to 1." }),
        distance: Type.Number(),
      }),
      { description: "The snippets that were used." },
    ),
    prompt: nullable(
      Type.Array(Type.Object({ role: choiceField(["system", "user", "assistant"]), content: Type.String() }), {
        description: "As it was sent to the model; null where none was asked.",
      }),
    ),
    answer: nullable(Type.String()),
    tokens: Type.Object({
      prompt: Type.Integer(),
      output: nullable(Type.Integer({ description: "As the model's server counted them; null if it did not." })),
    }),
  },
  { $id: "KeptReceipt", description: "How an answer came about." },
);

export const keptReceiptJson = (receipt: KeptReceipt): object => ({
  ...receipt.trace,
  id: receipt.id,
  createdAt: isoTime(receipt.createdAt),
  chatId: receipt.chatId,
  messageId: receipt.messageId,
  question: receipt.question,
});

const answerIs = "Send one of `receiptId` and `messageId`.";

export const feedbackBody = Type.Object(
  {
    receiptId: Type.Optional(idField(`The answer's receipt. ${answerIs}`)),
    messageId: Type.Optional(idField(`The answer's message in a chat. ${answerIs}`)),
    rating: choiceField(ratings),
    reason: Type.Optional(choiceField(feedbackReasons)),
    comment: Type.Optional(
      textField({ maxLength: maxFeedbackCharacters, unclean: "clean", description: "In your own words." }),
    ),
    expected: Type.Optional(
      Type.Object(
        {
          documentId: Type.Optional(nullable(idField("Document that holds the answer."))),
          text: Type.Optional(
            nullable(
              textField({
                maxLength: maxFeedbackCharacters,
                description: "What the answer or a snippet should contain.",
              }),
            ),
          ),
        },
        { description: "What should have been found." },
      ),
    ),
  },
  { $id: "FeedbackRequest" },
);

export const feedbackQuery = Type.Object({
  ...pagingFields,
  rating: Type.Optional(choiceField(ratings, { description: "Only this rating." })),
  since: Type.Optional(
    textField({
      description: "Only feedback from then on: ISO 8601 with time zone.",
      format: "date-time",
      examples: ["2026-01-31T00:00:00.000Z"],
    }),
  ),
});

export const feedbackSchema = Type.Object(
  {
    id: Type.String({ description: "Identifier of the feedback." }),
    createdAt: timeField("When it was given, or last replaced."),
    receiptId: nullable(Type.String()),
    messageId: nullable(Type.String()),
    chatId: nullable(Type.String()),
    partitionId: nullable(Type.String({ description: "The partition that was asked." })),
    question: Type.String({ description: "The question that was answered; a follow-up as it was understood." }),
    rating: choiceField(ratings),
    reason: nullable(choiceField(feedbackReasons)),
    comment: nullable(Type.String()),
    expected: Type.Object({ documentId: nullable(Type.String()), text: nullable(Type.String()) }),
    byVisitor: Type.Boolean({ description: "A visitor of a public chat gave it." }),
  },
  { $id: "Feedback", description: "What somebody says of an answer." },
);

/** @param forVisitor without what the organization alone knows */
export const feedbackJson = (feedback: Feedback, forVisitor = false): Static<typeof feedbackSchema> => ({
  id: feedback.id,
  createdAt: isoTime(feedback.createdAt),
  receiptId: feedback.receiptId,
  messageId: feedback.messageId,
  chatId: feedback.chatId,
  partitionId: forVisitor ? null : feedback.partitionId,
  question: forVisitor ? "" : feedback.question,
  rating: feedback.rating,
  reason: feedback.reason,
  comment: feedback.comment,
  expected: { documentId: feedback.expectedDocumentId, text: feedback.expectedText },
  byVisitor: feedback.isVisitor,
});
