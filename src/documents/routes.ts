import { Type } from "@sinclair/typebox";
import type { Held } from "../async/in-flight.ts";
import type { Dependencies } from "../dependencies.ts";
import type { ErrorCode } from "../domain/errors.ts";
import { isToldReasons, type Principal } from "../domain/principal.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { pageResponse } from "../http/respond.ts";
import { deletedSchema, idParams } from "../http/schema/fields.ts";
import { eventStream } from "../http/sse.ts";
import { readAnswerText, type TextCount } from "./answer-texts.ts";
import { documentJson } from "./document-json.ts";
import { downloadFile, downloadText } from "./download.ts";
import { findDocument } from "./find-document.ts";
import { followDocument } from "./follow-document.ts";
import { ingestEndpoints } from "./ingest/ingest-routes.ts";
import { createIngestWork } from "./ingest/ingest-work.ts";
import { listDocuments } from "./list-documents.ts";
import { cancelDocument, retryDocument } from "./queue-actions.ts";
import { removeDocument } from "./remove-document.ts";
import {
  documentBody,
  documentExample,
  documentListQuery,
  documentSchema,
  eventExample,
  statusEventSchema,
} from "./schema.ts";
import { updateDocument } from "./update-document.ts";

const tag = "Documents";
const modelErrors: readonly ErrorCode[] = ["model_failed", "model_unreachable", "model_timeout"];

/** What is done is told, however much is held. */
const done = ({ note }: Pick<Held, "note">): TextCount => ({ add: note });
/** How this caller is shown documents. */
const shownTo = ({ baseUrl, principal }: { baseUrl: string; principal: Principal }) => ({
  baseUrl,
  isToldReasons: isToldReasons(principal),
});

/** Everything under `/api/document` and `/api/ingest`. */
export const documentEndpoints = (
  deps: Pick<Dependencies, "config" | "store" | "ingest" | "log"> & Partial<Pick<Dependencies, "work">>,
): Endpoint[] => {
  const { store, ingest, log, work = createIngestWork({ store, ingest, log }) } = deps;

  return [
    ...ingestEndpoints(work, deps.config, log),
    endpoint({
      method: "GET",
      path: "/api/document",
      operationId: "listDocuments",
      access: "reader",
      tag,
      summary: "List documents",
      description: "Newest first. `X-Total-Count` holds the number of all that match.",
      query: documentListQuery,
      responses: { 200: Type.Array(documentSchema) },
      errors: ["invalid_request", "partition_not_found", "answer_too_large", "overloaded"],
      example: { response: [{ ...documentExample, originalText: null }] },
      handle: async (call) => {
        const { texts, ...page } = await listDocuments(store, call.principal, call.query, call.held);
        return pageResponse(page, (document) =>
          documentJson(document, { ...shownTo(call), text: texts.get(document.id) ?? null }),
        );
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/document/:id",
      operationId: "getDocument",
      aliases: ["/document/:id"],
      access: "reader",
      tag,
      summary: "Get a document with its text",
      params: idParams,
      responses: { 200: documentSchema },
      errors: ["document_not_found", "overloaded"],
      example: { response: documentExample },
      handle: async (call) => {
        const document = await findDocument(store, call.principal, call.params.id);
        return documentJson(document, { ...shownTo(call), text: await readAnswerText(store, document, call.held) });
      },
    }),
    endpoint({
      method: "PUT",
      path: "/api/document/:id",
      operationId: "updateDocument",
      aliases: ["/document/:id"],
      access: "writer",
      tag,
      summary: "Change a document",
      description:
        "Changes what is given; an empty body changes nothing. With `text`, the old snippets are swapped for new ones at once: at no moment is the document without snippets or with both.",
      params: idParams,
      body: documentBody,
      longBody: true,
      responses: { 200: documentSchema },
      errors: [
        "invalid_request",
        "metadata_too_large",
        "document_not_found",
        "partition_not_found",
        "document_busy",
        "document_too_large",
        "overloaded",
        ...modelErrors,
      ],
      example: { request: { metadata: documentExample.metadata }, response: documentExample },
      handle: async (call) => {
        const { document, text } = await updateDocument(work, call.principal, call.params.id, call.body, call.signal);
        const shown = text ?? (await readAnswerText(store, document, call.held));
        return documentJson(document, { ...shownTo(call), text: shown });
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/api/document/:id",
      operationId: "deleteDocument",
      aliases: ["/document/:id"],
      access: "writer",
      tag,
      summary: "Delete a document",
      description:
        "Its snippets and its file are gone when the answer is sent, and its bytes from the disk within a minute. Chat messages keep their own text; their sources of it lose their content and carry `deleted: true`.",
      params: idParams,
      responses: { 200: deletedSchema },
      errors: ["document_not_found"],
      example: { response: { id: documentExample.id, deleted: true } },
      handle: async (call) => {
        await removeDocument(deps, call.principal, call.params.id);
        return { id: call.params.id, deleted: true };
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/document/:id/text",
      operationId: "getDocumentText",
      aliases: ["/document/:id/text"],
      access: "reader",
      tag,
      summary: "The extracted text",
      params: idParams,
      responses: { 200: { mediaType: "text/markdown", description: "The text as Markdown." } },
      errors: ["document_not_found", "document_busy", "overloaded"],
      example: { response: documentExample.originalText },
      handle: (call) => downloadText(store, call.principal, call.params.id, call.held),
    }),
    endpoint({
      method: "GET",
      path: "/api/document/:id/file",
      operationId: "getDocumentFile",
      aliases: ["/document/:id/file"],
      access: "reader",
      tag,
      summary: "The original file",
      description: "The bytes as they came, as an attachment.",
      params: idParams,
      responses: { 200: { mediaType: "*/*", description: "The file, under its own type." } },
      answerHeaders: ["Content-Disposition"],
      errors: ["document_not_found", "file_not_found"],
      handle: (call) => downloadFile(store, call.principal, call.params.id),
    }),
    endpoint({
      method: "GET",
      path: "/api/document/:id/events",
      operationId: "followDocument",
      aliases: ["/document/:id/events"],
      access: "reader",
      tag,
      summary: "Follow a document's processing",
      description:
        "Server-sent events `status` with `{status, error, progress: {pages, chunks, embedded}}`: one at once and one a change. The stream ends when the status is final.",
      params: idParams,
      responses: { 200: { mediaType: "text/event-stream", description: "Events `status`.", item: statusEventSchema } },
      errors: ["document_not_found"],
      example: { response: eventExample },
      handle: (call) =>
        eventStream(call, (signal) => followDocument(deps, call.principal, call.params.id, signal), {
          onError: (error) => log.warn({ requestId: call.requestId, err: error }, "a document could not be followed"),
        }),
    }),
    endpoint({
      method: "POST",
      path: "/api/document/:id/retry",
      operationId: "retryDocument",
      aliases: ["/document/:id/retry"],
      access: "writer",
      tag,
      summary: "Take up a failed document again",
      params: idParams,
      responses: { 200: documentSchema },
      errors: ["document_not_found", "document_busy", "overloaded"],
      example: { response: { ...documentExample, status: "pending" } },
      handle: async (call) => {
        const document = await retryDocument(deps, call.principal, call.params.id);
        return documentJson(document, {
          ...shownTo(call),
          text: await readAnswerText(store, document, done(call.held)),
        });
      },
    }),
    endpoint({
      method: "POST",
      path: "/api/document/:id/cancel",
      operationId: "cancelDocument",
      aliases: ["/document/:id/cancel"],
      access: "writer",
      tag,
      summary: "End a pending document",
      description: "It is then `failed` with the error `cancelled`, and can be taken up again.",
      params: idParams,
      responses: { 200: documentSchema },
      errors: ["document_not_found", "document_busy", "overloaded"],
      example: { response: { ...documentExample, status: "failed", error: "cancelled" } },
      handle: async (call) => {
        const document = await cancelDocument(deps, call.principal, call.params.id);
        return documentJson(document, {
          ...shownTo(call),
          text: await readAnswerText(store, document, done(call.held)),
        });
      },
    }),
  ] as Endpoint[];
};
