import type { Config } from "../../config/schema.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { batchLines } from "../ingest/batch-lines.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { type Entry, maxLineBytes } from "./entry.ts";
import { exportOrganization } from "./export-organization.ts";
import { importEntries } from "./import-entries.ts";
import { createImportSeries } from "./import-series.ts";
import { entrySchema, importAnswerSchema, importExample } from "./schema.ts";

const tag = "Operation";
const mediaType = "application/x-ndjson";
/** Lines that are sent together. */
const maxPieceCharacters = 64 * 1024;

/** The entries as NDJSON, each made when the client has room for it. */
const streamEntries = (
  entries: AsyncGenerator<Entry>,
  signal: AbortSignal,
  log: Logger,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        let piece = "";
        while (piece.length < maxPieceCharacters) {
          signal.throwIfAborted();
          const { value, done } = await entries.next();
          if (done) {
            if (piece !== "") controller.enqueue(encoder.encode(piece));
            return controller.close();
          }
          piece += `${JSON.stringify(value)}\n`;
        }
        controller.enqueue(encoder.encode(piece));
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, "an export was cut off");
        await entries.return(undefined);
        throw error;
      }
    },
    async cancel() {
      await entries.return(undefined);
    },
  });
};

/** `/api/export` and `/api/import`. */
export const portabilityEndpoints = ({
  store,
  work,
  config,
  log,
}: {
  store: Store;
  work: IngestWork;
  config: Config;
  log: Logger;
}): Endpoint[] => {
  const series = createImportSeries();
  return [
    endpoint({
      method: "GET",
      path: "/api/export",
      operationId: "exportOrganization",
      access: "admin",
      wholeOrganization: true,
      tag,
      summary: "Export everything of the organization",
      description:
        "NDJSON: partitions, documents with their texts and files, chats and messages, without vectors and keys, while the server keeps working. `carrel export` makes a folder of it. The last line has the kind `end`: without it the export was cut off. With a key of role `admin` that is not limited to a partition.",
      responses: { 200: { mediaType, description: "One record, or part of one, on each line.", item: entrySchema } },
      errors: ["key_limited"],
      handle: ({ principal, held, signal, audited }) =>
        audited({ action: "organization.exported", targetId: null }, async () => {
          const entries = streamEntries(exportOrganization(store, principal, held), signal, log);
          return new Response(entries, { headers: { "content-type": mediaType, "x-accel-buffering": "no" } });
        }),
    }),
    endpoint({
      method: "POST",
      path: "/api/import",
      operationId: "importRecords",
      access: "admin",
      wholeOrganization: true,
      tag,
      summary: "Import records of an export",
      description:
        "Takes lines of `/api/export`, all of them or some in their order, and stores what the organization does not have yet: a second import changes nothing. Texts are indexed, not parsed again. Records keep their ids, unless another organization has them. What the quotas have no room for is left out, and `leftOut` says so. The first record at fault ends the import with an error that names it; what came before it is stored. With a key of role `admin` that is not limited to a partition.",
      rawBody: { mediaType, description: "One record, or part of one, on each line.", schema: entrySchema },
      responses: { 200: importAnswerSchema },
      errors: ["key_limited", "invalid_request", "document_too_large", "storage_unavailable", "overloaded"],
      example: importExample,
      async handle({ principal, arriving, held, signal, audited }) {
        const change = { action: "organization.imported", targetId: null, mayBePartial: true } as const;
        const take = () =>
          importEntries(work, {
            tenant: principal,
            lines: batchLines(arriving, { maxLineBytes, held }),
            maxDocumentBytes: config.ingest.maxDocumentBytes,
            held,
            signal,
          });
        const counts = await (series.goesOn(principal, Date.now()) ? take() : audited(change, take));
        series.note(principal, Date.now());
        return counts;
      },
    }),
  ] as Endpoint[];
};
