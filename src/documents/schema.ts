import { type Static, Type } from "@sinclair/typebox";
import { eventSchema } from "../http/schema/event-schema.ts";
import {
  addressField,
  choiceField,
  documentTextField,
  idField,
  metadataField,
  nameField,
  nullable,
  pagingFields,
  partitionNameField,
  scopeField,
  searchField,
  textField,
  timeField,
} from "../http/schema/fields.ts";
import { problemSchema } from "../http/schema/problem-schema.ts";
import { metadataFilterSchema } from "./metadata-filter-schema.ts";

const statuses = ["pending", "processing", "processed", "failed"] as const;

export const documentStatusSchema = choiceField(statuses, {
  $id: "DocumentStatus",
  description: "`pending` → `processing` → `processed`, or `failed`. Only a processed document is found by questions.",
});

const metadataExample = { source: "handbook", year: 2026 };

const progressSchema = Type.Object(
  {
    pages: Type.Integer({ description: "Pages, sheets or slides read; 0 where the format has none." }),
    chunks: Type.Integer({ description: "Pieces the text was cut into." }),
    embedded: Type.Integer({ description: "Pieces that have their vectors." }),
  },
  { $id: "DocumentProgress", description: "How far processing has come." },
);

const documentFields = {
  id: Type.String({ description: "Identifier of the document." }),
  createdAt: timeField("When it was ingested."),
  updatedAt: timeField("When it last changed."),
  originalUrl: nullable(
    Type.String({ description: "Where it came from; an uploaded file's own bytes are at this address." }),
  ),
  parsedUrl: Type.String({ description: "The extracted text as Markdown." }),
  originalText: nullable(
    Type.String({ description: "The extracted text. In lists only with `include=originalText`, else null." }),
  ),
  name: Type.String({ description: "Name of the document." }),
  addedByUserId: Type.String({ description: "User whose key ingested it." }),
  organizationId: Type.String({ description: "Owning organization." }),
  mimeType: nullable(Type.String({ description: "Type that the content showed." })),
  tokens: nullable(Type.Integer({ description: "Tokens of the text by the `o200k_base` encoding." })),
  status: documentStatusSchema,
  error: nullable(Type.String({ description: "Why it failed." })),
  warnings: Type.Array(Type.String(), { description: "What a reader should know, such as pages without text." }),
  progress: progressSchema,
  partitionId: nullable(Type.String({ description: "Partition it belongs to." })),
  metadata: nullable(metadataField("Free-form metadata.")),
};

export const documentSchema = Type.Object(documentFields, { $id: "Document", description: "A document." });

export const ingestedSchema = Type.Object(
  {
    ...documentFields,
    text: nullable(
      Type.String({ description: "The extracted text. Null where a file or address still waits to be read." }),
    ),
    unchanged: Type.Boolean({
      description: "True where `upsert` found the document with the same text: nothing was embedded.",
    }),
  },
  { $id: "IngestedDocument", description: "The document, with its text." },
);

export const ingestBody = Type.Object(
  {
    name: Type.Optional(
      nameField(
        "Name of the document, up to 255 characters. Required with `text`; otherwise taken from the file or the page.",
        ["Handbook"],
      ),
    ),
    text: Type.Optional(documentTextField("Text to ingest. NUL is dropped, lone surrogates become U+FFFD.")),
    url: Type.Optional(addressField(8_192, "Address of a file to fetch and ingest.")),
    websiteUrl: Type.Optional(addressField(8_192, "Address of a web page whose main text is ingested.")),
    mimeType: Type.Optional(
      textField({
        maxLength: 255,
        description: "Type of the file, where its content cannot tell.",
        examples: ["text/csv"],
      }),
    ),
    partitionId: Type.Optional(scopeField(idField("Partition to ingest into."))),
    partition: Type.Optional(
      scopeField(
        partitionNameField("Name of the partition to ingest into; made where there is none. Trimmed, case-sensitive.", [
          "Manuals",
        ]),
      ),
    ),
    metadata: Type.Optional(
      metadataField(
        "Free-form JSON object, at most 64 KiB. `externalId` in it is your own name for the document (see `upsert`).",
      ),
    ),
    upsert: Type.Optional(
      Type.Boolean({
        description:
          "With `metadata.externalId`: replaces the document of the organization that has it. Without: a document of the same partition with the same text is answered instead of being made twice.",
      }),
    ),
    async: Type.Optional(
      Type.Boolean({
        description:
          "Answer 202 as soon as the document is stored; it is processed afterwards. As `Prefer: respond-async`.",
      }),
    ),
  },
  {
    $id: "IngestRequest",
    "x-one-of": ["text", "url", "websiteUrl"],
    "x-not-both": ["partitionId", "partition"],
    dependentRequired: { text: ["name"] },
  },
);

/** Value of `Idempotency-Key`: printable ASCII, no space at its beginning. */
export const idempotencyKeyPattern = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;

export const ingestHeaders = Type.Object({
  "Idempotency-Key": Type.Optional(
    textField({
      maxLength: 255,
      pattern: idempotencyKeyPattern.source,
      description:
        "A key of your own making: repeated with the same request within 24 hours, it gets the first answer.",
      examples: ["handbook-2026-01-31"],
    }),
  ),
  Prefer: Type.Optional(
    textField({ description: "`respond-async`: as `async: true` in the body.", examples: ["respond-async"] }),
  ),
});

/** A line that a batch is answered with. */
export const batchAnswerSchema = Type.Union(
  [
    Type.Object({
      line: Type.Integer({ minimum: 1, description: "Number of the line sent, from 1." }),
      id: Type.String({ description: "Identifier of its document." }),
      status: documentStatusSchema,
    }),
    Type.Object({
      line: nullable(Type.Integer({ minimum: 1, description: "Null: the body itself broke off." })),
      error: problemSchema,
    }),
  ],
  { $id: "BatchAnswer", description: "A line's document, or what is wrong with the line." },
);

/** What can be done with a document by its id. */
export const documentLinks = [
  "getDocument",
  "updateDocument",
  "deleteDocument",
  "getDocumentText",
  "followDocument",
] as const;

export const documentBody = Type.Object(
  {
    text: Type.Optional(
      documentTextField("New text: the document's snippets are rebuilt from it and swapped at once."),
    ),
    metadata: Type.Optional(nullable(metadataField("Replaces the metadata; null removes it."))),
    name: Type.Optional(nameField("New name.")),
    partitionId: Type.Optional(
      nullable(scopeField(idField("Partition to move to; null takes it out of its partition."))),
    ),
  },
  { $id: "DocumentChange" },
);

export const documentListQuery = Type.Object({
  ...pagingFields,
  partitionId: Type.Optional(scopeField(idField("Only documents of this partition."))),
  status: Type.Optional(choiceField(statuses, { description: "Only documents in this state." })),
  searchValue: Type.Optional(searchField("Only documents whose name holds this, in any case.")),
  metadata: Type.Optional(metadataFilterSchema),
  include: Type.Optional(
    choiceField(["originalText"], { description: "Fills `originalText`, which is null otherwise." }),
  ),
});

const statusChangeSchema = Type.Object(
  {
    status: documentStatusSchema,
    error: nullable(Type.String({ description: "Why it failed." })),
    progress: progressSchema,
  },
  { $id: "DocumentStatusChange", description: "How far a document has come." },
);

export const statusEventSchema = eventSchema("DocumentEvent", { status: statusChangeSchema });

export type IngestBody = Static<typeof ingestBody>;
export type DocumentBody = Static<typeof documentBody>;
export type DocumentListQuery = Static<typeof documentListQuery>;

const exampleId = "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23";
const exampleText = "In winter the reading room opens at nine.";

/** What the API page shows; tests hold these against the schemas. */
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
  partitionId: null,
  metadata: metadataExample,
};

/** An event as it goes over the wire. */
export const eventExample = `event: status\ndata: ${JSON.stringify({
  status: documentExample.status,
  error: null,
  progress: documentExample.progress,
})}\n\n`;

export const batchExample = {
  request: `${JSON.stringify({ name: "Handbook", text: exampleText })}\n`,
  response: `${JSON.stringify({ line: 1, id: exampleId, status: "pending" })}\n`,
};

export const ingestExample = {
  request: { name: "Handbook", text: exampleText, metadata: metadataExample },
  response: { ...documentExample, text: exampleText, unchanged: false },
};
