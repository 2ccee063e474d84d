import { Type } from "@sinclair/typebox";
import type { SnippetRecord } from "../domain/records.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { listResponse } from "../http/respond.ts";
import { idParams, nullable, pagingFields, toPaging } from "../http/schema/fields.ts";
import type { Store } from "../store/contract.ts";
import { listSnippets } from "./list-snippets.ts";
import { exampleText } from "./schema.ts";

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
