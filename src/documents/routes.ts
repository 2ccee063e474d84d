import { Type } from "@sinclair/typebox";
import type { Config } from "../../config/schema.ts";
import type { ErrorCode } from "../domain/errors.ts";
import {
  type DocumentRecord,
  type Principal,
  type SnippetRecord,
  seesReasons,
  type Tenant,
} from "../domain/records.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse, listResponse } from "../http/respond.ts";
import { deletedSchema, idParams, nullable, pagingFields, toPaging } from "../http/schema/fields.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Logger } from "../log/log.ts";
import type { Page, Paging, Store } from "../store/contract.ts";
import { readAnswerText, type TextCount } from "./answer-texts.ts";
import { contentEndpoints } from "./content-routes.ts";
import { documentJson, hasVectors, type WithEmbedder } from "./document-json.ts";
import { deleteDocument, findDocument, findForDeletion, listDocuments } from "./document-records.ts";
import { ingestEndpoints } from "./ingest-routes.ts";
import { cancelDocument, rereadDocument, retryDocument } from "./queue-actions.ts";
import { documentBody, documentExample, documentListQuery, documentSchema, exampleText } from "./schema.ts";
import { updateDocument } from "./update-document.ts";

const tag = "Documents";

type DocumentDependencies = { store: Store; ingest: IngestQueue } & WithEmbedder;

interface Reader {
  baseUrl: string;
  principal: Principal;
}

/** How documents are shown to this caller. */
const shownTo = ({ baseUrl, principal }: Reader) => ({ baseUrl, seesReasons: seesReasons(principal) });

/** One document with its text, as this caller sees it. */
const wholeJson = async (
  { embedder, ingest }: DocumentDependencies,
  reader: Reader,
  document: DocumentRecord,
  text: string | null,
) => {
  const isEmbedded = await hasVectors(embedder, document);
  return documentJson(document, { ...shownTo(reader), text, isEmbedded, live: ingest.stateOf(document.id) });
};

/** How many documents no list can hold, because their records are damaged. */
const damagedDocuments = ({ damage }: Pick<Store, "damage">, { organizationId, partitionId }: Principal): number =>
  partitionId !== null // which partition they are in is not known
    ? 0
    : damage
        .list()
        .filter((one) => one.where === "documents" && (one.organizationId ?? organizationId) === organizationId).length;

/** Everything under `/api/document` and `/api/ingest`. */
export const documentEndpoints = (
  deps: DocumentDependencies & { config: Config; work: IngestWork; log: Logger },
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
        return wholeJson(deps, call, document, await readAnswerText(store, document, call.held));
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
        return wholeJson(deps, call, document, text ?? (await readAnswerText(store, document, call.held)));
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

interface Declaration extends Pick<Endpoint, "operationId" | "summary" | "path" | "description"> {
  /** 202: the answer tells of work that begins. */
  status: 200 | 202;
  /** Beside those that all of them have. */
  errors?: readonly ErrorCode[];
  example: object;
}

const changeEndpoint = (
  deps: DocumentDependencies,
  { status, errors = [], example, ...declaration }: Declaration,
  change: (principal: Principal, id: string, held: TextCount) => Promise<DocumentRecord>,
) =>
  endpoint({
    method: "POST",
    aliases: [declaration.path.replace("/api", "")],
    access: "writer",
    tag: "Documents",
    params: idParams,
    responses: { [status]: documentSchema },
    errors: ["document_not_found", "document_busy", "overloaded", ...errors],
    ...declaration,
    example: { response: example },
    handle: async ({ principal, params, baseUrl, held }) => {
      const document = await change(principal, params.id, held);
      // The change is made: its answer is sent however much memory requests hold.
      const text = await readAnswerText(deps.store, document, { add: held.note });
      return jsonResponse(await wholeJson(deps, { baseUrl, principal }, document, text), { status });
    },
  });

/** What callers may do about a document's processing. */
const jobEndpoints = (deps: DocumentDependencies & { work: IngestWork }): Endpoint[] =>
  [
    changeEndpoint(
      deps,
      {
        path: "/api/document/:id/retry",
        operationId: "retryDocument",
        summary: "Process a failed document again",
        status: 200,
        example: { ...documentExample, status: "pending" },
      },
      (tenant, id) => retryDocument(deps, tenant, id),
    ),
    changeEndpoint(
      deps,
      {
        path: "/api/document/:id/reread",
        operationId: "rereadDocument",
        summary: "Read a document again",
        description:
          "Reads it again from where it came from, with the parser and the settings of today: the stored file, what is at its address now, or its own text. Answers at once; the work is done as that of an asynchronous ingest is, also after a restart, and `GET /api/document/:id/events` tells its progress. Questions find the present content until the new one is there. Where reading fails, the document is `failed`, `error` says why, and the present content is still found. A text that `PUT` set in place of that of a file or address is replaced. Id, name, partition and metadata stay.",
        status: 202,
        errors: ["file_not_found", "no_text", "quota_reached"],
        example: { ...documentExample, status: "pending", progress: { pages: 0, chunks: 0, embedded: 0 } },
      },
      (principal, id, held) => rereadDocument(deps.work, principal, id, held),
    ),
    changeEndpoint(
      deps,
      {
        path: "/api/document/:id/cancel",
        operationId: "cancelDocument",
        summary: "Cancel a pending document",
        status: 200,
        description: "The document is then `failed` with the error `cancelled`. It can be retried.",
        example: { ...documentExample, status: "failed", error: "cancelled" },
      },
      (tenant, id) => cancelDocument(deps, tenant, id),
    ),
  ] as Endpoint[];

/** Positions are counted in 32 bits. */
const maxPosition = 2 ** 31 - 1;

/**
 * How a document's text was cut: its snippets in the order of the text. None while it is not processed.
 * @throws ApiError document_not_found
 */
const listSnippets = async (
  store: Pick<Store, "documents" | "openSnippets">,
  tenant: Tenant,
  id: string,
  { limit, skip }: Pick<Paging, "limit" | "skip">,
): Promise<Page<SnippetRecord>> => {
  const document = await findDocument(store, tenant, id);
  const view = store.openSnippets();
  try {
    const scope = { documentId: document.id, partitionId: null, metadata: null };
    const [items, { snippets }] = await Promise.all([
      view.neighbors(tenant, document.id, skip, Math.min(skip + limit - 1, maxPosition)),
      view.count(tenant, scope),
    ]);
    return { items, total: snippets };
  } finally {
    view.close();
  }
};

const documentSnippetSchema = Type.Object(
  {
    id: Type.String({ description: "Identifier of the snippet." }),
    content: Type.String({ description: "Text of the snippet." }),
    page: nullable(Type.Integer({ description: "Page, sheet or slide that holds most of it, from 1." })),
    headings: Type.Array(Type.String(), { description: "Headings above it, outermost first." }),
    start: Type.Integer({
      description: "First character of it in the document's text, in UTF-16 code units: as JavaScript counts.",
    }),
    end: Type.Integer({ description: "Character after its last one, in the same units." }),
  },
  { $id: "DocumentSnippet", description: "A piece that a document's text was cut into." },
);

const snippetJson = ({ id, text, page, headings, start, end }: SnippetRecord) => ({
  id,
  content: text,
  page,
  headings,
  start,
  end,
});

const { limit, skip } = pagingFields;

/** `/api/document/:id/snippets`. */
const snippetEndpoints = ({ store }: { store: Store }): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/api/document/:id/snippets",
      operationId: "listDocumentSnippets",
      access: "reader",
      tag: "Documents",
      summary: "List the snippets of a document",
      description:
        "How the text was cut, in the order of the text. `X-Total-Count` is the number of all. Empty while the document is not processed.",
      params: idParams,
      query: Type.Object({ limit, skip }),
      responses: { 200: Type.Array(documentSnippetSchema) },
      errors: ["invalid_request", "document_not_found"],
      example: {
        response: [
          {
            id: "0197a1c2-5b9a-7d10-8a52-6d1f0c9b7e44",
            content: exampleText,
            page: null,
            headings: [],
            start: 0,
            end: exampleText.length,
          },
        ],
      },
      handle: async (call) =>
        listResponse(await listSnippets(store, call.principal, call.params.id, toPaging(call.query)), snippetJson),
    }),
  ] as Endpoint[];
