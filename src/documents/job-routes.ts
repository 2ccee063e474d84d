import type { Dependencies } from "../dependencies.ts";
import { seesReasons } from "../domain/principal.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { idParams } from "../http/schema/fields.ts";
import { readAnswerText } from "./answer-texts.ts";
import { documentJson } from "./document-json.ts";
import { hasVectors, type WithEmbedder } from "./embedded.ts";
import { cancelDocument, retryDocument } from "./queue-actions.ts";
import { documentExample, documentSchema } from "./schema.ts";

const changeEndpoint = (
  { store, embedder }: Pick<Dependencies, "store"> & WithEmbedder,
  declaration: Pick<Endpoint, "operationId" | "summary" | "path"> &
    Partial<Pick<Endpoint, "description">> & { example: object },
  change: (tenant: Tenant, id: string) => Promise<DocumentRecord>,
) =>
  endpoint({
    method: "POST",
    aliases: [declaration.path.replace("/api", "")],
    access: "writer",
    tag: "Documents",
    params: idParams,
    responses: { 200: documentSchema },
    errors: ["document_not_found", "document_busy", "overloaded"],
    ...declaration,
    example: { response: declaration.example },
    handle: async ({ principal, params, baseUrl, held }) => {
      const document = await change(principal, params.id);
      // The change is made: its answer is sent however much memory requests hold.
      const text = await readAnswerText(store, document, { add: held.note });
      const isEmbedded = await hasVectors(embedder, document);
      return documentJson(document, { baseUrl, seesReasons: seesReasons(principal), text, isEmbedded });
    },
  });

/** What callers may do about a document's processing. */
export const jobEndpoints = (deps: Pick<Dependencies, "store" | "ingest"> & WithEmbedder): Endpoint[] =>
  [
    changeEndpoint(
      deps,
      {
        path: "/api/document/:id/retry",
        operationId: "retryDocument",
        summary: "Process a failed document again",
        example: { ...documentExample, status: "pending" },
      },
      (tenant, id) => retryDocument(deps, tenant, id),
    ),
    changeEndpoint(
      deps,
      {
        path: "/api/document/:id/cancel",
        operationId: "cancelDocument",
        summary: "Cancel a pending document",
        description: "The document is then `failed` with the error `cancelled`. It can be retried.",
        example: { ...documentExample, status: "failed", error: "cancelled" },
      },
      (tenant, id) => cancelDocument(deps, tenant, id),
    ),
  ] as Endpoint[];
