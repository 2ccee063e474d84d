import { type Static, Type } from "@sinclair/typebox";
import {
  choiceField,
  documentTextField,
  eventSchema,
  idField,
  metadataField,
  nameField,
  nullable,
  objectOrTextField,
  pagingFields,
  scopeField,
  searchField,
  textField,
  timeField,
} from "../http/schema/fields.ts";
import { noNul } from "../http/schema/text-field.ts";

const scalar = { type: ["string", "number", "boolean", "null"], pattern: noNul };
const ordered = { type: ["string", "number"], pattern: noNul };

/** The filter of lists and questions in the OpenAPI document; `parseMetadataFilter` checks it. */
export const metadataFilterSchema = objectOrTextField({
  $id: "MetadataFilter",
  description:
    "Only documents with matching metadata. Each key has a value that must be equal, or an object of the operators `$in`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`. In a query string or form, send the filter as JSON text.",
  examples: [{ source: "handbook", year: { $gte: 2024 } }],
  maxProperties: 32,
  propertyNames: { minLength: 1, maxLength: 255, pattern: "^[^$\\u0000][^\\u0000]*$" },
  additionalProperties: {
    anyOf: [
      scalar,
      {
        type: "object",
        minProperties: 1,
        additionalProperties: false,
        properties: {
          $in: { type: "array", items: scalar, maxItems: 200 },
          $ne: scalar,
          $gt: ordered,
          $gte: ordered,
          $lt: ordered,
          $lte: ordered,
        },
      },
    ],
  },
});

const statuses = ["pending", "processing", "processed", "failed"] as const;

export const documentStatusSchema = choiceField(statuses, {
  $id: "DocumentStatus",
  description: "`pending` → `processing` → `processed`, or `failed`. Only a processed document is found by questions.",
});

export const metadataExample = { source: "handbook", year: 2026 };

const progressSchema = Type.Object(
  {
    pages: Type.Integer({ description: "Pages, sheets or slides read; 0 where the format has none." }),
    chunks: Type.Integer({ description: "Chunks that the text was cut into." }),
    embedded: Type.Integer({ description: "Chunks that can be found." }),
  },
  { $id: "DocumentProgress", description: "How far processing has come." },
);

const readingSchema = Type.Object(
  {
    page: Type.Integer({ description: "The page that is being read, counted from 1." }),
    pages: Type.Integer({ description: "Pages of the file." }),
  },
  { $id: "PageReached", description: "How far the reading of a file with pages has come." },
);

const documentFields = {
  id: Type.String({ description: "Identifier of the document." }),
  createdAt: timeField("Time of the ingest."),
  updatedAt: timeField("Time of the last change."),
  originalUrl: nullable(
    Type.String({ description: "Address of the source. For an uploaded file, the address of its original bytes." }),
  ),
  parsedUrl: Type.String({ description: "Address of the extracted text as Markdown." }),
  originalText: nullable(
    Type.String({ description: "The extracted text. In lists null, unless requested with `include=originalText`." }),
  ),
  name: Type.String({ description: "Name of the document." }),
  addedByUserId: Type.String({ description: "User of the key that ingested it." }),
  organizationId: Type.String({ description: "Organization that owns it." }),
  mimeType: nullable(Type.String({ description: "Media type, detected from the content." })),
  tokens: nullable(Type.Integer({ description: "Tokens of the text in the `o200k_base` encoding." })),
  status: documentStatusSchema,
  error: nullable(Type.String({ description: "Why it failed." })),
  warnings: Type.Array(Type.String(), { description: "Warnings for readers, such as pages without text." }),
  progress: progressSchema,
  reading: nullable(readingSchema),
  embedded: Type.Boolean({
    description:
      "Whether the vectors of the configured embedding model are there. They are made in the background; a processed document is found without them.",
  }),
  partitionId: nullable(Type.String({ description: "Partition it belongs to." })),
  metadata: nullable(metadataField("Free-form metadata.")),
};

export const documentSchema = Type.Object(documentFields, { $id: "Document", description: "A document." });

export const ingestedSchema = Type.Object(
  {
    ...documentFields,
    text: nullable(
      Type.String({ description: "The extracted text. Null while a file or address still has to be read." }),
    ),
    unchanged: Type.Boolean({
      description: "True if `upsert` found a document with the same text: nothing was embedded.",
    }),
  },
  { $id: "IngestedDocument", description: "The document, with its text." },
);

/** Operations that take the id of a document. */
export const documentLinks = [
  "getDocument",
  "updateDocument",
  "deleteDocument",
  "getDocumentText",
  "followDocument",
] as const;

export const documentBody = Type.Object(
  {
    text: Type.Optional(documentTextField("New text. The document's snippets are replaced in one step.")),
    metadata: Type.Optional(nullable(metadataField("Replaces the metadata; null removes it."))),
    name: Type.Optional(nameField("New name.")),
    partitionId: Type.Optional(
      nullable(scopeField(idField("Partition to move the document to; null removes it from its partition."))),
    ),
  },
  { $id: "DocumentChange" },
);

export const documentListQuery = Type.Object({
  ...pagingFields,
  ids: Type.Optional(
    textField({
      maxLength: 3_700,
      description: "Only these documents: at most 100 identifiers, with commas between them.",
    }),
  ),
  partitionId: Type.Optional(scopeField(idField("Only documents of this partition."))),
  status: Type.Optional(choiceField(statuses, { description: "Only documents in this state." })),
  searchValue: Type.Optional(searchField("Only documents with this text in their name, case-insensitive.")),
  metadata: Type.Optional(metadataFilterSchema),
  include: Type.Optional(
    choiceField(["originalText"], { description: "`originalText` includes the texts in the answer." }),
  ),
});

const statusChangeSchema = Type.Object(
  {
    status: documentStatusSchema,
    error: nullable(Type.String({ description: "Why it failed." })),
    progress: progressSchema,
    reading: Type.Optional(readingSchema),
  },
  { $id: "DocumentStatusChange", description: "How far a document has come." },
);

export const statusEventSchema = eventSchema("DocumentEvent", { status: statusChangeSchema });

export type DocumentBody = Static<typeof documentBody>;

export const exampleId = "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23";
export const exampleText = "In winter the reading room opens at nine.";

/** Shown in the API documentation; tests check it against the schema. */
export const documentExample: Static<typeof documentSchema> = {
  id: exampleId,
  createdAt: "2026-01-31T09:30:00.000Z",
  updatedAt: "2026-01-31T09:30:00.041Z",
  originalUrl: null,
  parsedUrl: `http://127.0.0.1:7373/api/document/${exampleId}/text`,
  originalText: exampleText,
  name: "Handbook",
  addedByUserId: "admin",
  organizationId: "0197a1c0-0000-7000-8000-000000000001",
  mimeType: "text/plain",
  tokens: 9,
  status: "processed",
  error: null,
  warnings: [],
  progress: { pages: 0, chunks: 1, embedded: 1 },
  reading: null,
  embedded: true,
  partitionId: null,
  metadata: metadataExample,
};

/** An event as it is sent. */
export const eventExample = `event: status\ndata: ${JSON.stringify({
  status: documentExample.status,
  error: null,
  progress: documentExample.progress,
})}\n\n`;
