import type { TSchema } from "@sinclair/typebox";
import type { Endpoint } from "../endpoint.ts";
import { encodingsOf, fieldsOf, names } from "./body-encodings.ts";
import { type Json, shown } from "./openapi-schemas.ts";

/** The request body of an operation in its three encodings, or as it is read where it comes raw. */
export const bodyOf = ({ body, rawBody, acceptsFile = false, example }: Endpoint): Json => {
  const sample = example?.request === undefined ? {} : { example: example.request };
  if (rawBody !== undefined) {
    const text = { type: "string", description: rawBody.description };
    const content = {
      [rawBody.mediaType]: { schema: shown(rawBody.schema), ...sample },
      "text/plain": { schema: text, ...sample },
    };
    return { requestBody: { required: false, description: rawBody.description, content } };
  }
  if (body === undefined) return {};
  const { json, form, multipart } = encodingsOf(body, acceptsFile);
  return {
    requestBody: {
      required: (body.required ?? names(body, "x-one-of")).length > 0,
      content: {
        "application/json": { schema: json.ref, ...sample },
        "application/x-www-form-urlencoded": { schema: form.ref, ...jsonParts(body), ...sample },
        "multipart/form-data": { schema: multipart.ref, ...jsonParts(body), ...sample },
      },
    },
  };
};

/** The schemas of request bodies that have a name: as JSON, as a form and as multipart. */
export const namedBodies = (endpoints: readonly Endpoint[]): Record<string, Json> =>
  Object.fromEntries(
    endpoints.flatMap(({ body, acceptsFile = false }) =>
      body?.$id === undefined
        ? []
        : Object.values(encodingsOf(body, acceptsFile)).map(({ name, schema }) => [name, schema]),
    ),
  );

/** In forms, objects and lists are JSON text. */
const jsonParts = (body: TSchema): Json => {
  const parts = Object.entries(fieldsOf(body))
    .filter(([, property]) =>
      [property, ...((property.anyOf ?? []) as TSchema[])].some(({ type }) => type === "object"),
    )
    .map(([name]) => [name, { contentType: "application/json" }]);
  return parts.length === 0 ? {} : { encoding: Object.fromEntries(parts) };
};
