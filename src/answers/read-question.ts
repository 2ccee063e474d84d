import { invalidField } from "../domain/errors.ts";
import { requireRecordId } from "../domain/ids.ts";
import { parseMetadataFilter } from "../retrieval/metadata-filter.ts";
import type { Question } from "./reading/question.ts";
import type { QuestionBody, SearchBody } from "./schema.ts";

export const defaultSnippets = 6;
const maxSnippets = 50;

/**
 * The question in a body that fits the schema.
 * @throws ApiError invalid_request that names the field; 404 for ids that no record can have
 */
export const readQuestion = (body: SearchBody & Partial<QuestionBody>, answer: boolean): Question => ({
  query: body.query,
  history: [],
  documentId:
    body.documentId === undefined ? null : requireRecordId(body.documentId, "document_not_found", "documentId"),
  partitionId:
    body.partitionId === undefined ? null : requireRecordId(body.partitionId, "partition_not_found", "partitionId"),
  metadata: parseMetadataFilter(body.metadata),
  limit: readCount(body.numberOfDocumentsInContext),
  prompt: body.prompt?.trim() ? body.prompt : null,
  wantsAnswer: answer,
  lastSnippets: [],
  isVisitor: false,
  receiptId: Bun.randomUUIDv7(),
});

/** The original interface sends this number as text. */
const readCount = (value: string | number | undefined): number => {
  if (value === undefined) return defaultSnippets;
  const count = typeof value === "number" ? value : /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : Number.NaN;
  if (count >= 1 && count <= maxSnippets) return count;
  throw invalidField(
    "numberOfDocumentsInContext",
    `must be a whole number from 1 to ${maxSnippets}, as a number or as text`,
  );
};
