import { Type } from "@sinclair/typebox";
import type { Config } from "../../config/schema.ts";
import { type Principal, seesReasons } from "../domain/records.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { listResponse } from "../http/respond.ts";
import { deletedSchema, idParams, toPaging } from "../http/schema/fields.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { readAnswerText } from "./answer-texts.ts";
import { contentEndpoints } from "./content-routes.ts";
import { documentJson, hasVectors, type WithEmbedder } from "./document-json.ts";
import { deleteDocument, findDocument, findForDeletion, listDocuments } from "./document-records.ts";
import { ingestEndpoints } from "./ingest-routes.ts";
import { jobEndpoints } from "./job-routes.ts";
import { documentBody, documentExample, documentListQuery, documentSchema } from "./schema.ts";
import { snippetEndpoints } from "./snippet-routes.ts";
import { updateDocument } from "./update-document.ts";

const tag = "Documents";

/** How documents are shown to this caller. */
const shownTo = ({ baseUrl, principal }: { baseUrl: string; principal: Principal }) => ({
  baseUrl,
  seesReasons: seesReasons(principal),
});

/** How many documents no list can hold, because their records are damaged. */
const damagedDocuments = ({ damage }: Pick<Store, "damage">, { organizationId, partitionId }: Principal): number =>
  partitionId !== null // which partition they are in is not known
    ? 0
    : damage
        .list()
        .filter((one) => one.where === "documents" && (one.organizationId ?? organizationId) === organizationId).length;

/** Everything under `/api/document` and `/api/ingest`. */
export const documentEndpoints = (
  deps: { config: Config; store: Store; ingest: IngestQueue; work: IngestWork; log: Logger } & WithEmbedder,
): Endpoint[] => {
  const { store, work, embedder, ingest } = deps;
  return [
    ...ingestEndpoints(work, embedder, deps.config, deps.log),
    endpoint({
      method: "GET",
      path: "/api/document",
      operationId: "listDocuments",
      access: "reader",
      tag,
      summary: "List documents",
      description:
        "Newest first. `X-Total-Count` is the number of all documents that match. Where records of documents are damaged on the disk, the others are listed, and `X-Carrel-Damaged` is the number of the damaged ones.",
      query: documentListQuery,
      responses: { 200: Type.Array(documentSchema) },
      errors: ["invalid_request", "partition_not_found", "answer_too_large", "overloaded"],
      example: { response: [{ ...documentExample, originalText: null }] },
      handle: async (call) => {
        const { ids, partitionId, status, searchValue, metadata, include } = call.query;
        const includesTexts = include === "originalText";
        const request = { ids, partitionId, status, searchValue, metadata, includesTexts, ...toPaging(call.query) };
        const { texts, ...page } = await listDocuments(store, call.principal, request, call.held);
        const have = await embedder.haveVectors(page.items);
        const isEmbedded = new Map(page.items.map(({ id }, at) => [id, have[at] === true]));
        const response = await listResponse(page, (document) =>
          documentJson(document, {
            ...shownTo(call),
            text: texts.get(document.id) ?? null,
            isEmbedded: isEmbedded.get(document.id) === true,
            live: ingest.stateOf(document.id),
          }),
        );
        const damaged = damagedDocuments(store, call.principal);
        if (damaged > 0) response.headers.set("x-carrel-damaged", String(damaged));
        return response;
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
        const isEmbedded = await hasVectors(embedder, document);
        const text = await readAnswerText(store, document, call.held);
        const live = ingest.stateOf(document.id);
        return documentJson(document, { ...shownTo(call), text, isEmbedded, live });
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
        "Changes the fields that are sent; an empty body changes nothing. A new `text` replaces the old snippets in one step: questions find the old ones or the new ones, never none or both.",
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
        "quota_reached",
        "document_too_large",
        "overloaded",
      ],
      example: { request: { metadata: documentExample.metadata }, response: documentExample },
      handle: async (call) => {
        const { document, text } = await updateDocument(work, call.principal, call.params.id, call.body, call.signal);
        const shown = text ?? (await readAnswerText(store, document, call.held));
        const isEmbedded = await hasVectors(embedder, document);
        const live = ingest.stateOf(document.id);
        return documentJson(document, { ...shownTo(call), text: shown, isEmbedded, live });
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
        "Its snippets and its file are gone when the answer is sent; its bytes leave the disk within a minute. Chat messages keep their own text; their sources from this document lose their content and have `deleted: true`.",
      params: idParams,
      responses: { 200: deletedSchema },
      errors: ["document_not_found"],
      example: { response: { id: documentExample.id, deleted: true } },
      handle: async (call) => {
        const { id } = call.params;
        await findForDeletion(store, call.principal, id);
        await call.audited({ action: "document.deleted", targetId: id }, () =>
          deleteDocument(deps, call.principal, id),
        );
        return { id, deleted: true };
      },
    }),
    ...contentEndpoints(deps),
    ...snippetEndpoints(deps),
    ...jobEndpoints(deps),
  ] as Endpoint[];
};
