import { create } from "content-disposition";
import { createNotifier } from "../async/waiting.ts";
import { type Principal, seesReasons } from "../domain/records.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { textResponse } from "../http/respond.ts";
import { idParams } from "../http/schema/fields.ts";
import { eventStream, type ServerEvent } from "../http/sse.ts";
import type { IngestState } from "../ingest/prepare/replace-document.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { documentError } from "./document-json.ts";
import { openOriginalFile, readDocumentText } from "./document-part.ts";
import { findDocument } from "./document-records.ts";
import { documentExample, eventExample, statusEventSchema } from "./schema.ts";

/** States kept for a client that reads slowly; the oldest are dropped. */
const maxUnreadStates = 100;

/**
 * The state of a document, now and after each change, until it is final. Ends early when the signal fires.
 * @throws ApiError document_not_found
 */
async function* followDocument(
  { store, ingest }: { store: Store; ingest: IngestQueue },
  principal: Principal,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const unread: IngestState[] = [];
  const changed = createNotifier();
  const unsubscribe = ingest.subscribe(id, (state) => {
    unread.push(state);
    if (unread.length > maxUnreadStates) unread.shift();
    changed.notify();
  });
  try {
    const document = await findDocument(store, principal, id);
    // States reported while the record was read are as new as the record, or newer.
    if (unread.length === 0) unread.push(ingest.stateOf(id) ?? document);
    let last = "";
    while (!signal.aborted) {
      const state = unread.shift();
      if (state === undefined) {
        await changed.next(changed.count, signal);
        continue;
      }
      const error = documentError(state, seesReasons(principal));
      const { status, progress, reading } = state;
      const data = { status, error, progress, ...(reading ? { reading } : {}) };
      const written = JSON.stringify(data);
      if (written !== last) yield { event: "status", data };
      last = written;
      if (status === "processed" || status === "failed") return;
    }
  } finally {
    unsubscribe();
  }
}

const tag = "Documents";
/** For content that strangers wrote: a browser must neither run it nor guess its type. */
const untrustedContent = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
};

/**
 * `Content-Disposition` of a download (RFC 6266): the name in ASCII for old clients, and unchanged (RFC 8187). No name
 * can end the value or start another header.
 */
const attachment = (name: string): string =>
  create(name.toWellFormed(), { fallback: name.replace(/[^\x20-\x7e]|["\\%;/]/g, "_") });

/** A type that may be written into a header: RFC 9110 tokens, without parameters. */
const isMimeType = (type: string): boolean => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type);

/** What a document holds: its text, its file, and its progress until they are there. */
export const contentEndpoints = (deps: { store: Store; ingest: IngestQueue; log: Logger }): Endpoint[] => {
  const { store, log } = deps;
  return [
    endpoint({
      method: "GET",
      path: "/api/document/:id/text",
      operationId: "getDocumentText",
      aliases: ["/document/:id/text"],
      access: "reader",
      tag,
      summary: "Get the extracted text",
      params: idParams,
      responses: { 200: { mediaType: "text/markdown", description: "The text as Markdown." } },
      errors: ["document_not_found", "document_busy", "overloaded"],
      example: { response: documentExample.originalText },
      handle: async (call) =>
        textResponse(await readDocumentText(store, call.principal, call.params.id, call.held), {
          status: 200,
          headers: { "content-type": "text/markdown; charset=utf-8", ...untrustedContent },
        }),
    }),
    endpoint({
      method: "GET",
      path: "/api/document/:id/file",
      operationId: "getDocumentFile",
      aliases: ["/document/:id/file"],
      access: "reader",
      tag,
      summary: "Get the original file",
      description: "The file's bytes, unchanged, as an attachment.",
      params: idParams,
      responses: { 200: { mediaType: "*/*", description: "The file, under its own type." } },
      answerHeaders: ["Content-Disposition"],
      errors: ["document_not_found", "file_not_found"],
      handle: async (call) => {
        const { stream, bytes, name, mimeType } = await openOriginalFile(store, call.principal, call.params.id);
        return new Response(stream, {
          headers: {
            "content-type": mimeType !== null && isMimeType(mimeType) ? mimeType : "application/octet-stream",
            "content-length": String(bytes),
            "content-disposition": attachment(name),
            ...untrustedContent,
          },
        });
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/document/:id/events",
      ofWriter: true,
      operationId: "followDocument",
      aliases: ["/document/:id/events"],
      access: "reader",
      tag,
      summary: "Follow a document's processing",
      description:
        "Server-sent events `status` with `{status, error, progress: {pages, chunks, embedded}}`: the first at once, then one for each change. The stream ends when the status is final.",
      params: idParams,
      responses: { 200: { mediaType: "text/event-stream", description: "Events `status`.", item: statusEventSchema } },
      errors: ["document_not_found"],
      example: { response: eventExample },
      handle: (call) =>
        eventStream(call, (signal) => followDocument(deps, call.principal, call.params.id, signal), {
          onError: (error) => log.warn({ requestId: call.requestId, err: error }, "a document could not be followed"),
        }),
    }),
  ] as Endpoint[];
};
