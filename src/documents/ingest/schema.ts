import { type Static, Type } from "@sinclair/typebox";
import {
  addressField,
  documentTextField,
  idField,
  metadataField,
  nameField,
  nullable,
  partitionNameField,
  scopeField,
  textField,
} from "../../http/schema/fields.ts";
import { problemSchema } from "../../http/schema/problem-schema.ts";
import { documentExample, documentStatusSchema, exampleId, exampleText, metadataExample } from "../schema.ts";

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

export type IngestBody = Static<typeof ingestBody>;

export const batchExample = {
  request: `${JSON.stringify({ name: "Handbook", text: exampleText })}\n`,
  response: `${JSON.stringify({ line: 1, id: exampleId, status: "pending" })}\n`,
};

export const ingestExample = {
  request: { name: "Handbook", text: exampleText, metadata: metadataExample },
  response: { ...documentExample, text: exampleText, unchanged: false },
};
