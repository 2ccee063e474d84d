import { type Static, type TSchema, Type } from "@sinclair/typebox";

/**
 * The files of an export (docs/export.md): one JSON object a line. A reader ignores fields that it does not know; a new
 * field is optional; a change that an older reader would get wrong raises `formatVersion`.
 */

export const formatName = "carrel-export";
export const formatVersion = 1;

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** `maxLength` counts UTF-16 units; the API's own limits count characters, of which a name may have 255. */
const short = (maxLength = 510) => Type.String({ maxLength });
const recordId = Type.String({ pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$" });
const chatId = Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$" });
const sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
/** ISO 8601 in UTC, as `Date.prototype.toISOString` writes it. */
const time = Type.String({ pattern: "^\\d{4}-[01]\\d-[0-3]\\dT[0-2]\\d:[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z$" });
const object = Type.Record(Type.String(), Type.Unknown());
const count = Type.Integer({ minimum: 0 });

export const partitionSchema = Type.Object({
  id: recordId,
  name: Type.String({ minLength: 1, maxLength: 510 }),
  createdAt: time,
});

export const documentSchema = Type.Object({
  id: recordId,
  partitionId: nullable(recordId),
  partition: nullable(short()),
  name: short(),
  addedByUserId: short(),
  createdAt: time,
  updatedAt: time,
  sourceKind: Type.Union([Type.Literal("text"), Type.Literal("file"), Type.Literal("url"), Type.Literal("website")]),
  originalUrl: nullable(short(8_192)),
  mimeType: nullable(short(1_024)),
  declaredMimeType: nullable(short(1_024)),
  metadata: nullable(object),
  tokens: nullable(Type.Number({ minimum: 0 })),
  status: Type.Union([Type.Literal("pending"), Type.Literal("processed"), Type.Literal("failed")]),
  error: nullable(short(65_536)),
  errorReason: nullable(short(65_536)),
  warnings: Type.Array(short(65_536), { maxItems: 1_000 }),
  pages: Type.Array(Type.Object({ page: Type.Integer({ minimum: 1 }), start: count }), { maxItems: 1_000_000 }),
  text: nullable(Type.String()),
  pendingText: nullable(Type.String()),
  file: nullable(sha256),
});

export const chatSchema = Type.Object({
  id: chatId,
  name: short(),
  title: nullable(short()),
  userId: short(),
  documentId: nullable(recordId),
  partitionId: nullable(recordId),
  partition: nullable(short()),
  public: Type.Boolean(),
  logoUrl: nullable(short(8_192)),
  brandSettings: nullable(object),
  createdAt: time,
  named: Type.Boolean(),
});

export const messageSchema = Type.Object({
  id: recordId,
  chatId,
  thread: short(),
  userId: short(),
  isSystem: Type.Boolean(),
  message: Type.String(),
  sourceDocuments: Type.Array(
    Type.Object({
      pageContent: Type.String(),
      metadata: Type.Intersect([object, Type.Object({ id: Type.String(), _distance: Type.Number() })]),
      deleted: Type.Optional(Type.Literal(true)),
    }),
    { maxItems: 1_000 },
  ),
  createdAt: time,
});

const listedFile = Type.Object({ records: count, bytes: count, sha256 });

export const manifestSchema = Type.Object({
  format: Type.Literal(formatName),
  formatVersion: Type.Integer({ minimum: 1 }),
  carrel: short(),
  createdAt: time,
  organization: short(),
  files: Type.Object({
    "partitions.ndjson": listedFile,
    "documents.ndjson": listedFile,
    "chats.ndjson": listedFile,
    "messages.ndjson": listedFile,
  }),
  originals: Type.Object({ files: count, bytes: count }),
});

export type ExportedPartition = Static<typeof partitionSchema>;
export type ExportedDocument = Static<typeof documentSchema>;
export type ExportedChat = Static<typeof chatSchema>;
export type ExportedMessage = Static<typeof messageSchema>;
export type Manifest = Static<typeof manifestSchema>;

/** The kinds of records in the order in which they are written and taken in: each names only those before it. */
export const kinds = ["partition", "document", "chat", "message"] as const;
export type Kind = (typeof kinds)[number];

export const fileOfKind = {
  partition: "partitions.ndjson",
  document: "documents.ndjson",
  chat: "chats.ndjson",
  message: "messages.ndjson",
} as const satisfies Record<Kind, keyof Manifest["files"]>;

export interface ExportedRecord {
  partition: ExportedPartition;
  document: ExportedDocument;
  chat: ExportedChat;
  message: ExportedMessage;
}
