import type { Config } from "../../config/schema.ts";
import { type ErrorCode, withAddressIn } from "../domain/errors.ts";
import type { DocumentRecord } from "../domain/records.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse } from "../http/respond.ts";
import { ingestDocument } from "../ingest/ingest.ts";
import { type Ingested, readIngestRequest } from "../ingest/request.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Logger } from "../log/log.ts";
import { readAnswerText } from "./answer-texts.ts";
import { batchEndpoint } from "./batch-routes.ts";
import { documentJson, hasVectors, type WithEmbedder } from "./document-json.ts";
import { createIdempotency, type StoredAnswer } from "./idempotency.ts";
import { ingestBody, ingestExample, ingestHeaders } from "./ingest-schema.ts";
import { documentLinks, ingestedSchema } from "./schema.ts";

/** The errors that the source of a document may cause, in any operation. */
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
  "parser_failed",
  "parser_unreachable",
  "parser_timeout",
  "overloaded",
  "storage_unavailable",
  "quota_reached",
];

const errors: readonly ErrorCode[] = ["no_source", "several_sources", "idempotency_conflict", ...sourceErrors];

/** `Prefer: respond-async` (RFC 7240), alone or among other preferences. */
const prefersAsync = (request: Request): boolean =>
  (request.headers.get("prefer") ?? "")
    .split(",")
    .some((preference) => preference.split(";")[0]?.trim().toLowerCase() === "respond-async");

/** An ingested document as the API shows it. */
export const ingestedJson = (
  { document, text, unchanged }: Pick<Ingested, "document" | "text" | "unchanged">,
  { baseUrl, isEmbedded }: { baseUrl: string; isEmbedded: boolean },
) => ({
  ...documentJson(document, { baseUrl, text, isEmbedded }),
  text,
  unchanged,
});

/** `/api/ingest` and its batch. */
export const ingestEndpoints = (
  work: IngestWork,
  embedder: WithEmbedder["embedder"],
  config: Pick<Config, "server">,
  log: Logger,
): Endpoint[] => {
  const idempotent = createIdempotency(work.store, log);
  return [
    endpoint({
      method: "POST",
      path: "/api/ingest",
      // Clients that are generated send files to a path of its own (src/http/docs/lean-document.ts).
      aliases: ["/api/ingest/file"],
      operationId: "ingestDocument",
      access: "writer",
      tag: "Documents",
      summary: "Ingest a document",
      description:
        "Send exactly one of `text`, `url` (a file), `websiteUrl` (a page) or a multipart part named `file`. Once the answer comes, questions find the document. With `async: true` or `Prefer: respond-async` the answer is a 202 as soon as the document is stored. A synchronous ingest that fails leaves nothing behind. A request repeated with the same `Idempotency-Key` header within 24 hours gets the first answer again.",
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
        const answerFor = async (ingested: Ingested): Promise<StoredAnswer> => ({
          status: mode === "later" && ingested.document.status !== "processed" ? 202 : 200,
          body: ingestedJson(ingested, {
            baseUrl: call.baseUrl,
            isEmbedded: await hasVectors(embedder, ingested.document),
          }),
        });
        const run = async (documentId?: string): Promise<StoredAnswer> => {
          const named = documentId === undefined ? request : { ...request, documentId };
          const ingested = await withAddressIn(request.source.kind === "website" ? "websiteUrl" : "url", () =>
            ingestDocument(work, call.principal, named, mode, call.signal),
          );
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
    batchEndpoint(work, config, log),
  ] as Endpoint[];
};
