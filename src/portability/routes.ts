import { Type } from "@sinclair/typebox";
import type { Config } from "../../config/schema.ts";
import type { Principal } from "../domain/records.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { choiceField, nullable } from "../http/schema/fields.ts";
import { batchLines } from "../ingest/batch-lines.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { type Entry, maxLineBytes } from "./entry.ts";
import { exportOrganization } from "./export-organization.ts";
import { kinds } from "./format.ts";
import { importEntries } from "./import-entries.ts";

const tag = "Operation";
const mediaType = "application/x-ndjson";
/** Lines that are sent together. */
const maxPieceCharacters = 64 * 1024;

/**
 * The entries as NDJSON, each made when the client has room for it. The first of them are read before the answer begins:
 * where the store cannot be read, the answer says so.
 * @throws what reading the first entries throws
 */
const streamEntries = async (
  entries: AsyncGenerator<Entry>,
  signal: AbortSignal,
  log: Logger,
): Promise<ReadableStream<Uint8Array>> => {
  const encoder = new TextEncoder();
  let isOver = false;
  const nextPiece = async (): Promise<string> => {
    let piece = "";
    try {
      while (!isOver && piece.length < maxPieceCharacters) {
        signal.throwIfAborted();
        const { value, done } = await entries.next();
        if (done) isOver = true;
        else piece += `${JSON.stringify(value)}\n`;
      }
    } catch (error) {
      await entries.return(undefined);
      throw error;
    }
    return piece;
  };
  let first: string | null = await nextPiece();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const piece = first ?? (await nextPiece());
        first = null;
        if (piece !== "") controller.enqueue(encoder.encode(piece));
        if (isOver) controller.close();
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, "an export was cut off");
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
      errors: ["key_limited", "storage_unavailable"],
      handle: ({ principal, held, signal, audited }) =>
        audited({ action: "organization.exported", targetId: null }, async () => {
          const entries = await streamEntries(exportOrganization(store, principal, held), signal, log);
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

/** Requests of one import come one after another: `carrel import` sends some hundred records with each. */
const maxPauseMs = 10 * 60_000;
const maxSeries = 1_000;

/** The imports under way, so that the audit log records each once and not each of its requests. */
interface ImportSeries {
  /** Whether the caller has imported into the organization a moment ago. @param now epoch ms */
  goesOn(caller: Principal, now: number): boolean;
  /** A request of it was done. */
  note(caller: Principal, now: number): void;
}

const nameOf = ({ organizationId, keyId }: Principal): string => JSON.stringify([organizationId, keyId]);

const createImportSeries = (): ImportSeries => {
  const lastAt = new Map<string, number>();
  return {
    goesOn: (caller, now) => now - (lastAt.get(nameOf(caller)) ?? 0) < maxPauseMs,
    note(caller, now) {
      const name = nameOf(caller);
      lastAt.delete(name);
      lastAt.set(name, now);
      const [oldest] = lastAt.keys();
      if (lastAt.size > maxSeries && oldest !== undefined) lastAt.delete(oldest);
    },
  };
};

/** One line of an export as it is sent. The records themselves are described in docs/export.md. */
const entrySchema = Type.Object(
  {
    kind: choiceField(["organization", ...kinds, "part", "end"], {
      description:
        "What the line is: a record of this kind, a part of the document before it, or the beginning or end of an export.",
    }),
    record: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "The record, as in the file of its kind." }),
    ),
    at: Type.Optional(Type.String({ description: "Where it comes from: errors name it." })),
    follows: Type.Optional(
      Type.Array(choiceField(["text", "pendingText", "file"]), {
        description: "Of a document: what follows it in parts. Texts of more than 65,536 characters, and its file.",
      }),
    ),
    of: Type.Optional(
      choiceField(["text", "pendingText", "file"], { description: "Of a part: what it is a part of." }),
    ),
    data: Type.Optional(Type.String({ description: "Of a part: a piece of the text, or of the file in Base64." })),
    last: Type.Optional(Type.Boolean({ description: "Of a part: whether it is the last one." })),
  },
  { $id: "ExportEntry", description: "One line of an export." },
);

const countSchema = (what: string) =>
  Type.Object(
    {
      added: Type.Integer({ description: "Were missing, and were stored." }),
      present: Type.Integer({ description: "Were here already." }),
      kept: Type.Integer({ description: "Were here already, but changed since: what is here was kept." }),
      skipped: Type.Integer({ description: "Were left out: `leftOut` says why." }),
    },
    { description: `How many ${what} were stored, kept or left out.` },
  );

const importAnswerSchema = Type.Object(
  {
    partitions: countSchema("partitions"),
    documents: countSchema("documents"),
    chats: countSchema("chats"),
    messages: countSchema("messages"),
    leftOut: Type.Array(
      Type.Object({
        kind: choiceField(["partitions", "documents", "chats", "messages"], { description: "Of what." }),
        code: Type.String({
          description:
            "`quota_reached`: there is no room for them. `file_left_out`: their file came with such a document. `chat_missing`: messages of a chat that is neither here nor sent. `id_taken`: others have every id that they could get. `address_refused`: an address that is not http or https, without which the record was stored.",
        }),
        reason: Type.String({ description: "Why, in words." }),
        count: Type.Integer({ description: "How many." }),
        first: nullable(Type.String({ description: "The first of them, as `at` or the number of its line says." })),
      }),
      { description: "What was not stored and why; empty where everything was." },
    ),
  },
  { $id: "Imported", description: "How many of the sent records were stored, kept or left out." },
);

const importExample = {
  request:
    '{"kind":"partition","record":{"id":"0198f6a2-7c3e-7b1a-9d54-2f6b8c0e4a17","name":"Manuals","createdAt":"2026-01-31T09:30:00.000Z"}}\n',
  response: {
    partitions: { added: 1, present: 0, kept: 0, skipped: 0 },
    documents: { added: 0, present: 0, kept: 0, skipped: 0 },
    chats: { added: 0, present: 0, kept: 0, skipped: 0 },
    messages: { added: 0, present: 0, kept: 0, skipped: 0 },
    leftOut: [],
  },
};
