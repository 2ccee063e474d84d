import type { Json } from "./openapi-schemas.ts";

/** The answers' headers, under `components.headers`. */
export const sharedHeaders: Record<string, { description: string; schema: Json }> = {
  "X-Request-Id": { description: "Identifies this request in the server's log.", schema: { type: "string" } },
  "X-Carrel-Receipt": { description: "Id of the answer's receipt.", schema: { type: "string" } },
  "X-Total-Count": { description: "Number of all records, before paging.", schema: { type: "integer", minimum: 0 } },
  "WWW-Authenticate": { description: "How to authenticate: `Bearer`.", schema: { type: "string" } },
  "Retry-After": { description: "Seconds after which to try again, where known.", schema: { type: "integer" } },
  "X-Visitor-Token": {
    description: "Identifies a visitor without a key: send it with the next requests.",
    schema: { type: "string" },
  },
  "Preference-Applied": {
    description: "`respond-async`, where `Prefer` asked for it.",
    schema: { type: "string" },
  },
  "Content-Disposition": { description: "`attachment`, with the document's name.", schema: { type: "string" } },
};

/** The headers of an answer, each by its name. */
export const headerRefs = (...names: string[]): Json =>
  Object.fromEntries(["X-Request-Id", ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
