import type { ErrorCode } from "../domain/errors.ts";
import { type DocumentRecord, type Principal, seesReasons } from "../domain/records.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse } from "../http/respond.ts";
import { idParams } from "../http/schema/fields.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Store } from "../store/contract.ts";
import { readAnswerText, type TextCount } from "./answer-texts.ts";
import { documentJson, hasVectors, type WithEmbedder } from "./document-json.ts";
import { cancelDocument, retryDocument } from "./queue-actions.ts";
import { rereadDocument } from "./reread-document.ts";
import { documentExample, documentSchema } from "./schema.ts";

interface Declaration extends Pick<Endpoint, "operationId" | "summary" | "path" | "description"> {
  /** 202: the answer tells of work that begins. */
  status: 200 | 202;
  /** Beside those that all of them have. */
  errors?: readonly ErrorCode[];
  example: object;
}

const changeEndpoint = (
  { store, embedder }: { store: Store } & WithEmbedder,
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
      const text = await readAnswerText(store, document, { add: held.note });
      const isEmbedded = await hasVectors(embedder, document);
      const shown = documentJson(document, { baseUrl, seesReasons: seesReasons(principal), text, isEmbedded });
      return jsonResponse(shown, { status });
    },
  });

/** What callers may do about a document's processing. */
export const jobEndpoints = (
  deps: { store: Store; ingest: IngestQueue; work: IngestWork } & WithEmbedder,
): Endpoint[] =>
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
