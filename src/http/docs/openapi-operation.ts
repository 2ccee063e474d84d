import type { TSchema } from "@sinclair/typebox";
import type { Endpoint } from "../endpoint.ts";
import { noNul } from "../schema/text-field.ts";
import { responsesOf } from "./openapi-answers.ts";
import { bodyOf } from "./openapi-bodies.ts";
import { type Json, shown, written } from "./openapi-schemas.ts";

/**
 * One operation of the OpenAPI 3.1 document, made from its declaration: parameters, body in its three encodings,
 * answers, every error with its codes, examples.
 *
 * @param path the one of the operation's paths that is described
 */
export const describeOperation = (endpoint: Endpoint, path: string): Json => {
  return {
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...descriptionOf(endpoint, path),
    operationId: operationIdOf(endpoint, path),
    // The page shows an operation once, under its first path, and says who may call it.
    ...(path === endpoint.path ? {} : { "x-alias-of": endpoint.operationId }),
    "x-access": endpoint.access,
    security: securityOf(endpoint),
    parameters: [
      ...parametersOf("path", endpoint.params),
      ...parametersOf("query", endpoint.query),
      ...parametersOf("header", endpoint.headers),
      ...(endpoint.body === undefined ? [] : [requestId]),
    ],
    ...bodyOf(endpoint),
    responses: responsesOf(endpoint),
  };
};

/** Accepted with every request; shown where a body is sent, which may have to be traced. */
const requestId = {
  name: "X-Request-Id",
  in: "header",
  required: false,
  description: "Your own id of the request, in the server's log and in the answer: up to 128 of `A-Z a-z 0-9 . _ -`.",
  schema: { type: "string", pattern: noNul },
};

/** What it does, and its other paths. */
const descriptionOf = ({ method, path: first, aliases = [], description }: Endpoint, path: string): Json => {
  if (path !== first) return { description: `The same as \`${method} ${first}\`.` };
  const others = aliases.length === 0 ? [] : [`Also at ${aliases.map((alias) => `\`${alias}\``).join(", ")}.`];
  const text = [...(description ? [description] : []), ...others].join(" ");
  return text === "" ? {} : { description: text };
};

/** An operation's other paths have ids of their own: `getDocument` is also `getDocumentAlias`. */
const operationIdOf = ({ operationId, path: first, aliases = [] }: Endpoint, path: string): string => {
  if (path === first) return operationId;
  const number = aliases.indexOf(path) + 1;
  return `${operationId}Alias${number === 1 ? "" : number}`;
};

const securityOf = ({ access }: Endpoint): Json[] => {
  if (access === "open") return [];
  return access === "visitor" ? [{}, { key: [] }] : [{ key: [] }];
};

const parametersOf = (place: "path" | "query" | "header", schema: TSchema | undefined): Json[] => {
  const required = new Set<string>((schema?.required ?? []) as string[]);
  return Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).map(([name, property]) => {
    const { description, ...rest } = written(property);
    const isRequired = place === "path" || required.has(name);
    const whole = property.$id === undefined ? rest : shown(property);
    return {
      name,
      in: place,
      required: isRequired,
      ...(description ? { description } : {}),
      // An object is sent in a query string as JSON text.
      ...(rest.type === "object" ? { content: { "application/json": { schema: whole } } } : { schema: whole }),
    };
  });
};
