import { objectOrTextField } from "../http/schema/fields.ts";
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
