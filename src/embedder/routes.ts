import { Type } from "@sinclair/typebox";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { nullable } from "../http/schema/fields.ts";
import type { Embedder } from "./embedder.ts";

const model = { provider: Type.String(), model: Type.String() };

const statusSchema = Type.Object(
  {
    active: Type.Object(
      { ...model, dimensions: nullable(Type.Integer()) },
      {
        description:
          "The model that questions use beside full text and the built-in table. `dimensions` is null until the model of an empty store was first reached.",
      },
    ),
    building: nullable(
      Type.Object(
        {
          ...model,
          done: Type.Integer({ description: "Documents that have the new vectors." }),
          total: Type.Integer({ description: "Documents in all." }),
          error: nullable(Type.String({ description: "Why the change is not progressing." })),
        },
        { description: "The model whose vectors are being made for the whole store, if one is." },
      ),
    ),
    pending: Type.Integer({ description: "Snippets that lack the vectors of the configured model; 0 for `static`." }),
    error: nullable(Type.String({ description: "Why vectors that are lacking are not being made." })),
  },
  { $id: "EmbedderStatus", description: "The embedding model in use." },
);

/** `/api/embedder`. */
export const embedderEndpoints = ({ embedder }: { embedder: Embedder }): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/api/embedder",
      ofWriter: true,
      operationId: "getEmbedder",
      access: "admin",
      wholeServer: true,
      tag: "Operation",
      summary: "The embedding model and a change of it",
      description:
        "Documents are found at once by full text and the built-in table; the vectors of the configured model follow in the background, the newest documents first. The model is changed in the configuration: questions use the old vectors until the new are complete. The counts are those of all organizations. With a key of role `admin` of the organization `default` that is not limited to a partition.",
      responses: { 200: statusSchema },
      errors: [],
      example: {
        response: {
          active: { provider: "builtin", model: "static", dimensions: 256 },
          building: { provider: "ollama", model: "nomic-embed-text", done: 120, total: 2000, error: null },
          pending: 5410,
          error: null,
        },
      },
      handle: () => embedder.status(),
    }),
  ] as Endpoint[];
