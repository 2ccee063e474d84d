import { Type } from "@sinclair/typebox";
import type { SnippetRecord, Tenant } from "../domain/records.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { listResponse } from "../http/respond.ts";
import { idParams, nullable, pagingFields, toPaging } from "../http/schema/fields.ts";
import type { Page, Paging, Store } from "../store/contract.ts";
import { findDocument } from "./document-records.ts";
import { exampleText } from "./schema.ts";

/** Positions are counted in 32 bits. */
const maxPosition = 2 ** 31 - 1;

/**
 * How a document's text was cut: its snippets in the order of the text. None while it is not processed.
 * @throws ApiError document_not_found
 */
const listSnippets = async (
  store: Pick<Store, "documents" | "openSnippets">,
  tenant: Tenant,
  id: string,
  { limit, skip }: Pick<Paging, "limit" | "skip">,
): Promise<Page<SnippetRecord>> => {
  const document = await findDocument(store, tenant, id);
  const view = store.openSnippets();
  try {
    const scope = { documentId: document.id, partitionId: null, metadata: null };
    const [items, { snippets }] = await Promise.all([
      view.neighbors(tenant, document.id, skip, Math.min(skip + limit - 1, maxPosition)),
      view.count(tenant, scope),
    ]);
    return { items, total: snippets };
  } finally {
    view.close();
  }
};

const documentSnippetSchema = Type.Object(
  {
    id: Type.String({ description: "Identifier of the snippet." }),
    content: Type.String({ description: "Text of the snippet." }),
    page: nullable(Type.Integer({ description: "Page, sheet or slide that holds most of it, from 1." })),
    headings: Type.Array(Type.String(), { description: "Headings above it, outermost first." }),
    start: Type.Integer({
      description: "First character of it in the document's text, in UTF-16 code units: as JavaScript counts.",
    }),
    end: Type.Integer({ description: "Character after its last one, in the same units." }),
  },
  { $id: "DocumentSnippet", description: "A piece that a document's text was cut into." },
);

const snippetJson = ({ id, text, page, headings, start, end }: SnippetRecord) => ({
  id,
  content: text,
  page,
  headings,
  start,
  end,
});

const { limit, skip } = pagingFields;

/** `/api/document/:id/snippets`. */
export const snippetEndpoints = ({ store }: { store: Store }): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/api/document/:id/snippets",
      operationId: "listDocumentSnippets",
      access: "reader",
      tag: "Documents",
      summary: "List the snippets of a document",
      description:
        "How the text was cut, in the order of the text. `X-Total-Count` is the number of all. Empty while the document is not processed.",
      params: idParams,
      query: Type.Object({ limit, skip }),
      responses: { 200: Type.Array(documentSnippetSchema) },
      errors: ["invalid_request", "document_not_found"],
      example: {
        response: [
          {
            id: "0197a1c2-5b9a-7d10-8a52-6d1f0c9b7e44",
            content: exampleText,
            page: null,
            headings: [],
            start: 0,
            end: exampleText.length,
          },
        ],
      },
      handle: async (call) =>
        listResponse(await listSnippets(store, call.principal, call.params.id, toPaging(call.query)), snippetJson),
    }),
  ] as Endpoint[];
