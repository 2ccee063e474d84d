import { Type } from "@sinclair/typebox";
import type { Dependencies } from "../dependencies.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { nullable } from "../http/schema/fields.ts";

const model = { provider: Type.String(), model: Type.String() };

const statusSchema = Type.Object(
  {
    active: Type.Object(
      { ...model, dimensions: nullable(Type.Integer()) },
      { description: "The model that searches use. `dimensions` is null until the model was first reached." },
    ),
    building: nullable(
      Type.Object(
        {
          ...model,
          done: Type.Integer({ description: "Documents in the new index." }),
          total: Type.Integer({ description: "Documents in all." }),
          error: nullable(Type.String({ description: "Why the change is not progressing." })),
        },
        { description: "The change to another embedding model, if one is running." },
      ),
    ),
  },
  { $id: "EmbedderStatus", description: "The embedding model in use." },
);

/** `/api/embedder`. */
export const embedderEndpoints = ({ embedder }: Pick<Dependencies, "embedder">): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/api/embedder",
      operationId: "getEmbedder",
      access: "admin",
      tag: "Operation",
      summary: "The embedding model and a change of it",
      description:
        "The model is changed in the configuration. The index for the new one is then built in the background from the stored documents; questions use the old one until it is complete.",
      responses: { 200: statusSchema },
      errors: [],
      example: {
        response: {
          active: { provider: "builtin", model: "static", dimensions: 256 },
          building: { provider: "ollama", model: "nomic-embed-text", done: 120, total: 2000, error: null },
        },
      },
      handle: () => embedder.status(),
    }),
  ] as Endpoint[];
