import type { Config } from "../../../config/schema.ts";
import type { ErrorCode } from "../../domain/errors.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { jsonResponse } from "../../http/respond.ts";
import type { Logger } from "../../log.ts";
import { readAnswerText } from "../answer-texts.ts";
import { documentJson } from "../document-json.ts";
import {
  batchAnswerSchema,
  batchExample,
  documentLinks,
  ingestBody,
  ingestExample,
  ingestedSchema,
  ingestHeaders,
} from "../schema.ts";
import { createIdempotency, type StoredAnswer } from "./idempotency.ts";
import { type Ingested, ingestDocument } from "./ingest.ts";
import { ingestBatch } from "./ingest-batch.ts";
import { readIngestRequest } from "./ingest-request.ts";
import type { IngestWork } from "./ingest-work.ts";

const tag = "Documents";

/** What may go wrong with one source, whichever operation brought it. */
export const sourceErrors: readonly ErrorCode[] = [
  "invalid_request",
  "partition_conflict",
  "partition_not_found",
  "metadata_too_large",
  "document_too_large",
  "address_refused",
  "fetch_failed",
  "fetch_timeout",
  "unsupported_file_type",
  "unreadable_file",
  "no_text",
  "model_failed",
  "model_unreachable",
  "model_timeout",
  "parser_failed",
  "parser_unreachable",
  "parser_timeout",
  "overloaded",
  "storage_unavailable",
];

const errors: readonly ErrorCode[] = ["no_source", "several_sources", "idempotency_conflict", ...sourceErrors];

/** `Prefer: respond-async` (RFC 7240), alone or among other preferences. */
const prefersAsync = (request: Request): boolean =>
  (request.headers.get("prefer") ?? "")
    .split(",")
    .some((preference) => preference.split(";")[0]?.trim().toLowerCase() === "respond-async");

/** An ingested document as the API shows it. */
export const ingestedJson = ({ document, text, unchanged }: Ingested, baseUrl: string) => ({
  ...documentJson(document, { baseUrl, text }),
  text,
  unchanged,
});

/** `/api/ingest` and its batch. */
export const ingestEndpoints = (work: IngestWork, { server }: Pick<Config, "server">, log: Logger): Endpoint[] => {
  const idempotent = createIdempotency(work.store);
  return [
    endpoint({
      method: "POST",
      path: "/api/ingest",
      operationId: "ingestDocument",
      access: "writer",
      tag,
      summary: "Ingest a document",
      description:
        "From exactly one of `text`, `url` (a file), `websiteUrl` (a page) or a multipart part named `file`. The answer means that the document can be found. With `async: true` or `Prefer: respond-async` it is a 202 as soon as the document is stored. A synchronous ingest that fails leaves nothing behind. A request repeated with the same `Idempotency-Key` header within 24 hours gets the first answer again.",
      headers: ingestHeaders,
      body: ingestBody,
      acceptsFile: true,
      longBody: true,
      answerHeaders: ["Preference-Applied"],
      links: documentLinks,
      responses: { 200: ingestedSchema, 202: ingestedSchema },
      errors,
      example: ingestExample,
      handle: async (call) => {
        const request = readIngestRequest(call.body, call.file);
        const isPreferred = prefersAsync(call.request);
        const mode = isPreferred || call.body.async === true ? "later" : "now";
        const answerFor = (ingested: Ingested): StoredAnswer => ({
          status: mode === "later" && !ingested.unchanged ? 202 : 200,
          body: ingestedJson(ingested, call.baseUrl),
        });
        const run = async (documentId?: string): Promise<StoredAnswer> => {
          const named = documentId === undefined ? request : { ...request, documentId };
          const ingested = await ingestDocument(work, call.principal, named, mode, call.signal);
          if (ingested.takesFile) call.file?.take();
          return answerFor(ingested);
        };
        const describe = async (document: DocumentRecord): Promise<StoredAnswer> => {
          const text = await readAnswerText(work.store, document, call.held);
          return answerFor({ document, text, unchanged: false, takesFile: false });
        };
        const key = call.request.headers.get("idempotency-key");
        const answer =
          key === null
            ? await run()
            : await idempotent(call.principal, { key, request: [mode, request], run, describe });
        return jsonResponse(answer.body, {
          status: answer.status,
          headers: isPreferred ? { "preference-applied": "respond-async" } : {},
        });
      },
    }),
    endpoint({
      method: "POST",
      path: "/api/ingest/batch",
      operationId: "ingestBatch",
      access: "writer",
      tag,
      summary: "Ingest many documents",
      description:
        'NDJSON in, each line a body as `/api/ingest` takes it, without files; NDJSON out, a line for each as soon as it is stored: `{"line": 1, "id": …, "status": "pending"}` or `{"line": 1, "error": {problem}}`. Lines are stored while the body still arrives; small texts are found as soon as they are answered, the rest is processed afterwards. A broken line spoils only itself. A line may be as long as `server.maxBodyBytes` (100 MiB unless set).',
      rawBody: {
        mediaType: "application/x-ndjson",
        description: "One JSON object a line, each as `/api/ingest` takes it.",
        schema: ingestBody,
      },
      responses: {
        200: {
          mediaType: "application/x-ndjson",
          description: "A line for each line sent.",
          item: batchAnswerSchema,
        },
      },
      errors: [],
      example: batchExample,
      handle: (call) => {
        const body = call.request.body ?? new Blob([]).stream();
        const { pathname } = new URL(call.request.url);
        const { principal, requestId, signal, held } = call;
        const maxLineBytes = server.maxBodyBytes;
        const batch = { principal, body, requestId, path: pathname, signal, held, maxLineBytes, log };
        return new Response(ingestBatch(work, batch), {
          headers: { "content-type": "application/x-ndjson", "x-accel-buffering": "no" },
        });
      },
    }),
  ] as Endpoint[];
};
