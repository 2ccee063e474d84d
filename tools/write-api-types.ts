/**
 * Writes src/web/browser/shared/api.ts, the types of the API that the pages use, from the OpenAPI document:
 * `bun tools/write-api-types.ts`. A test fails while they differ.
 */
import { compile } from "json-schema-to-typescript";
import { version } from "../src/domain/version.ts";
import { openApiDocument } from "../src/http/docs/openapi-document.ts";
import { declaredEndpoints } from "../src/program/declared-endpoints.ts";

/** Schemas that the pages use; others come along where these refer to them. */
const used = [
  "Answer",
  "AnswerDelta",
  "AnswerModel",
  "AuditEntry",
  "Backup",
  "Chat",
  "ChatSettings",
  "ChatWithMessages",
  "DoctorReport",
  "Document",
  "DocumentEvent",
  "DocumentProgress",
  "DocumentSnippet",
  "EmbedderStatus",
  "Feedback",
  "FeedbackRequest",
  "IngestedDocument",
  "IssuedKey",
  "KeptReceipt",
  "Key",
  "KeyRequest",
  "Message",
  "Partition",
  "Problem",
  "Readiness",
  "Receipt",
  "SentMessage",
  "Settings",
  "Snippet",
  "SourceSnippet",
  "StorageUse",
  "Trial",
  "WebhookDelivery",
];

/** The module's text. */
export const apiTypes = async (): Promise<string> => {
  const document = openApiDocument(declaredEndpoints(), version) as { components: { schemas: Record<string, object> } };
  const text = JSON.stringify(document.components.schemas).replaceAll("#/components/schemas/", "#/definitions/");
  const definitions = JSON.parse(text) as Record<string, object>;
  const properties = Object.fromEntries(used.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  const schema = { type: "object", additionalProperties: false, required: used, properties, definitions };
  return await compile(schema as Parameters<typeof compile>[0], "ApiTypes", {
    bannerComment: "// Made by tools/write-api-types.ts from the OpenAPI document. Do not edit.",
    additionalProperties: false,
    unreachableDefinitions: false,
    style: { printWidth: 120 },
  });
};

if (import.meta.main) await Bun.write(new URL("../src/web/browser/shared/api.ts", import.meta.url), await apiTypes());
