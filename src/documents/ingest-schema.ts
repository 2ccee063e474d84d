import { Type } from "@sinclair/typebox";
import { problemSchema } from "../http/problem.ts";
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
} from "../http/schema/fields.ts";
import { documentExample, documentStatusSchema, exampleId, exampleText, metadataExample } from "./schema.ts";

export const ingestBody = Type.Object(
  {
    name: Type.Optional(
      nameField(
        "Name of the document, up to 255 characters. Required with `text`; the default is the name of the file or the title of the page.",
        ["Handbook"],
      ),
    ),
    text: Type.Optional(
      documentTextField(
        "Text to ingest. Control characters but tabs and line breaks are removed, lone surrogates become U+FFFD.",
      ),
    ),
    url: Type.Optional(addressField(8_192, "Address of a file to fetch and ingest.")),
    websiteUrl: Type.Optional(addressField(8_192, "Address of a web page whose main text is ingested.")),
    mimeType: Type.Optional(
      textField({
        maxLength: 255,
        description: "Media type of the file, for content that does not show it.",
        examples: ["text/csv"],
      }),
    ),
    partitionId: Type.Optional(scopeField(idField("Partition to ingest into."))),
    partition: Type.Optional(
      scopeField(
        partitionNameField("Name of the partition to ingest into, created if there is none. Trimmed, case-sensitive.", [
          "Manuals",
        ]),
      ),
    ),
    metadata: Type.Optional(
      metadataField(
        "Free-form JSON object, at most 64 KiB. Its key `externalId` is your own identifier of the document (see `upsert`).",
      ),
    ),
    upsert: Type.Optional(
      Type.Boolean({
        description:
          "With `metadata.externalId`: replaces the document of the organization that has this id. Without: if the partition has a document with the same text, or with `async` of the same file, that document is returned and none is created.",
      }),
    ),
    async: Type.Optional(
      Type.Boolean({
        description:
          "Answer with 202 as soon as the document is stored and process it afterwards. The same as `Prefer: respond-async`.",
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

/** Value of `Idempotency-Key`: printable ASCII, without a leading space. */
export const idempotencyKeyPattern = /^[\x21-\x7e][\x20-\x7e]{0,254}$/;

export const ingestHeaders = Type.Object({
  "Idempotency-Key": Type.Optional(
    textField({
      maxLength: 255,
      pattern: idempotencyKeyPattern.source,
      description:
        "A key that you choose. The same request with the same key gets the first answer again for 24 hours.",
      examples: ["handbook-2026-01-31"],
    }),
  ),
  Prefer: Type.Optional(
    textField({ description: "`respond-async`: the same as `async: true` in the body.", examples: ["respond-async"] }),
  ),
});

/** A line of the answer to a batch. */
export const batchAnswerSchema = Type.Union(
  [
    Type.Object({
      line: Type.Integer({ minimum: 1, description: "Number of the line in the request, from 1." }),
      id: Type.String({ description: "Identifier of the document." }),
      status: documentStatusSchema,
    }),
    Type.Object({
      line: nullable(
        Type.Integer({ minimum: 1, description: "Number of the line in the request; null if the body broke off." }),
      ),
      error: problemSchema,
    }),
  ],
  { $id: "BatchAnswer", description: "The document of a line, or the error of the line." },
);

export const batchExample = {
  request: `${JSON.stringify({ name: "Handbook", text: exampleText })}\n`,
  response: `${JSON.stringify({ line: 1, id: exampleId, status: "pending" })}\n`,
};

export const ingestExample = {
  request: { name: "Handbook", text: exampleText, metadata: metadataExample },
  response: { ...documentExample, text: exampleText, unchanged: false },
};
