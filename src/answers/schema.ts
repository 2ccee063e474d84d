import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { documentSchema, metadataFilterSchema } from "../documents/schema.ts";
import { problemSchema } from "../http/problem.ts";
import {
  choiceField,
  eventSchema,
  idField,
  nullable,
  questionField,
  scopeField,
  textField,
} from "../http/schema/fields.ts";
import { receiptSchema } from "./receipt-schema.ts";

/** What both questions and bare searches take. */
const searchFields = {
  query: questionField("The question, 1 to 8,000 characters."),
  documentId: Type.Optional(scopeField(idField("Ask over this document alone."))),
  partitionId: Type.Optional(
    scopeField(
      idField("Ask over this partition alone. One of the two is enough; sent with `documentId`, both must apply."),
    ),
  ),
  metadata: Type.Optional(metadataFilterSchema),
  numberOfDocumentsInContext: Type.Optional(
    Type.Union(
      [Type.Integer({ minimum: 1, maximum: 50 }), textField({ pattern: "^ *0{0,7}([1-9]|[1-4][0-9]|50) *$" })],
      {
        default: 6,
        description: "How many snippets to put into the context and to return, 1 to 50, as a number or as text.",
        examples: ["6", 6],
      },
    ),
  ),
  stream: Type.Optional(
    Type.Boolean({ description: "Answer with server-sent events, as `Accept: text/event-stream` does." }),
  ),
};

export const searchBody = Type.Object(searchFields, {
  $id: "SearchRequest",
  "x-not-both": ["documentId", "partitionId"],
});

export const questionBody = Type.Object(
  {
    ...searchFields,
    prompt: Type.Optional(
      textField({
        maxLength: 32_000,
        unclean: "clean",
        description:
          "Replaces the default prompt. `{contextText}` becomes the snippets, `{query}` the question; without `{query}` the question is sent after it. Other braces stay as they are.",
        examples: ["Answer in one sentence.\n\n{contextText}\n\nQuestion: {query}"],
      }),
    ),
    answer: Type.Optional(
      Type.Boolean({ default: true, description: "`false`: only the snippets; `answer` is null." }),
    ),
  },
  { $id: "QuestionRequest", "x-not-both": ["documentId", "partitionId"] },
);

export const questionQuery = Type.Object({
  include: Type.Optional(
    choiceField(["originalText"], { description: "Fills `originalText` of the documents, which is null otherwise." }),
  ),
});

export type SearchBody = Static<typeof searchBody>;
export type QuestionBody = Static<typeof questionBody>;

const snippetFields = {
  content: Type.String({ description: "Text of the snippet." }),
  _distance: Type.Number({ description: "Cosine distance of the snippet's vector from the question's, 0 to 2." }),
  page: nullable(Type.Integer({ description: "Page that holds most of it, if the format has pages." })),
  headings: Type.Array(Type.String(), { description: "Headings above it, outermost first." }),
  columns: Type.Optional(
    Type.Array(Type.String(), {
      description: "Names of the columns of the table that it begins in the middle of; else none.",
    }),
  ),
  start: Type.Integer({
    description: "First character of it in the document's text, in UTF-16 code units: as JavaScript counts.",
  }),
  end: Type.Integer({ description: "Character after its last one, in the same units." }),
};

export const snippetSchema = Type.Object(
  {
    metadata: Type.Object({
      id: Type.String({ description: "Identifier of the snippet." }),
      ...snippetFields,
      documentUploadId: Type.String({ description: "Identifier of the document it belongs to." }),
    }),
  },
  {
    $id: "Snippet",
    description: "A piece of a document that the answer is made from.",
  },
);

const sourceIsDeleted = Type.Literal(true, { description: "Present once the document is deleted." });
const toVisitors = "Null to a visitor without a key.";
const namedForKeys = {
  id: nullable(Type.String({ description: `Identifier of the snippet. ${toVisitors}` })),
  documentUploadId: nullable(Type.String({ description: `Document it is from. ${toVisitors}` })),
};

/** Snippet of a streamed message. */
export const sourceSnippetSchema = Type.Object(
  { metadata: Type.Object({ ...namedForKeys, ...snippetFields }) },
  { $id: "SourceSnippet", description: "A piece of a document that a message is made from." },
);

/** Snippet beside a chat's message. */
export const sourceDocumentSchema = Type.Object(
  {
    metadata: Type.Object({
      ...namedForKeys,
      ...snippetFields,
      content: Type.Optional(
        Type.String({ description: "Text of the snippet; missing once its document is deleted." }),
      ),
      deleted: Type.Optional(sourceIsDeleted),
    }),
    pageContent: Type.String({
      description: "The relevant content: the snippet's text; empty once its document is deleted.",
    }),
    deleted: Type.Optional(sourceIsDeleted),
  },
  { $id: "SourceDocument", description: "A passage that the answer is made from." },
);

const deltaSchema = Type.Object(
  { text: Type.String({ description: "The next piece of the answer." }) },
  { $id: "AnswerDelta", description: "A piece of an answer that is still being written." },
);

/** Events of a streamed answer; `done` is the schema of the whole JSON answer. */
export const streamSchema = (id: string, done: TSchema, snippet: TSchema) =>
  eventSchema(id, { snippets: Type.Array(snippet), delta: deltaSchema, done, error: problemSchema });

export const answerSchema = Type.Object(
  {
    answer: nullable(Type.String({ description: "The answer, its sources marked `[1]`, `[2]` …" })),
    relevantDocuments: Type.Array(documentSchema, { description: "Documents of the snippets." }),
    relevantSnippets: Type.Array(snippetSchema, { description: "Best first; `[1]` is the first of them." }),
    receipt: receiptSchema,
  },
  { $id: "Answer", description: "An answer with its sources." },
);

export const answerEventSchema = streamSchema("AnswerEvent", answerSchema, snippetSchema);
