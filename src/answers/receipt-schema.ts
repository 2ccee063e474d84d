import { Type } from "@sinclair/typebox";
import { choiceField, nullable } from "../http/schema/fields.ts";
import { askKinds } from "./reading/ask.ts";

export const supportField = nullable(
  choiceField(["supported", "partly", "unsupported"], {
    description:
      "How far the snippets hold what a model wrote, by its words and numbers. Where little of it is held, or it has numbers that no snippet has, quotations follow in the answer. Null where no model wrote, was shown no snippets, or said nothing that they can tell: code, another language, that the documents do not hold the answer.",
  }),
);

/** How an answer came about. */
export const receiptSchema = Type.Object(
  {
    id: Type.String({ description: "Identifies the receipt; the header `X-Carrel-Receipt` holds it too." }),
    asked: Type.Object(
      {
        kind: choiceField(askKinds, {
          description:
            "`question`; `overview`: of a document, partition or all; `inventory`: which documents there are; `conversation`: about the answer before; `courtesy`: a greeting, thanks or a request for help.",
        }),
        question: Type.String({ description: "The ask without what only greets, thanks or pleads." }),
      },
      { description: "What the ask was read as." },
    ),
    certainty: choiceField(["sure", "unsure", "none"], {
      description:
        "Whether the documents hold the answer. `sure`: answered; `unsure`: something is near that may not be it; `none`: nothing is near, and the answer says so.",
    }),
    computed: nullable(
      Type.Object(
        {
          operation: choiceField(["count", "sum", "mean", "smallest", "largest", "none", "filter", "all", "lookup"], {
            description:
              "`mean`: the average; `none`: rows that have nothing in the column; `lookup`: a row that the question names.",
          }),
          documentId: Type.String({ description: "The document that holds the table." }),
          column: nullable(Type.String({ description: "The column that was compared or asked for." })),
          conditions: Type.Array(Type.String(), { description: "What the rows were chosen by: `status: closed`." }),
          rows: Type.Integer({ description: "Rows that were found." }),
          total: Type.Integer({ description: "Rows of the table." }),
        },
        { description: "How the answer was computed over a whole table; null for one that was not." },
      ),
    ),
    searched: Type.Object({
      documents: Type.Integer({ description: "Documents in scope." }),
      snippets: Type.Integer({ description: "Snippets in scope." }),
      text: Type.Integer({ description: "Candidates found by full text." }),
      vectors: Type.Integer({ description: "Candidates found by vectors; 0 if the embedding model failed." }),
    }),
    understood: Type.String({
      description:
        "The question as understood: typing errors replaced by words of the documents, with what a follow-up adds from earlier turns.",
    }),
    followUp: nullable(
      Type.Object(
        {
          by: choiceField(["model", "turns"], {
            description:
              "`model`: rewritten by the answering model; `turns`: words of earlier turns were added to the search.",
          }),
          promptTokens: Type.Integer({ description: "Tokens that the rewriting read; 0 if it was not tried." }),
          outputTokens: Type.Integer({ description: "Tokens that the rewriting wrote." }),
          ms: Type.Number({ description: "Time that the rewriting took." }),
        },
        { description: "How a follow-up question was understood; null for a question without earlier ones." },
      ),
    ),
    confidence: Type.Number({
      description:
        "How likely the documents contain the answer, 0 to 1: of questions with 0.8, about 8 in 10 have one, where half of all questions have one.",
    }),
    refusedAbove: Type.Number({
      description:
        "How the question compares with those that documents answer, 0 to 1: of these, 5 in 100 are below 0.5. An answer is not told as certain at an `answers.refusalThreshold` far above this.",
    }),
    kept: Type.Integer({ description: "Snippets used and returned." }),
    dropped: Type.Array(
      Type.Object({
        reason: choiceField(["not_relevant", "duplicate", "over_limit", "no_context_left"], {
          description:
            "`not_relevant`: refused with the question, or far below the best of those that a model is shown; `duplicate`: says what a better one says; `over_limit`: beyond `numberOfDocumentsInContext`; `no_context_left`: did not fit into the model's context.",
        }),
        count: Type.Integer({ description: "Number of snippets." }),
      }),
      { description: "Snippets that were found and not used." },
    ),
    context: Type.Object(
      {
        limit: nullable(Type.Integer({ description: "Tokens that fit." })),
        used: Type.Integer({ description: "Tokens of what was put in." }),
      },
      { description: "Tokens of the answerer's context; `limit` is null if nothing was put into it." },
    ),
    model: nullable(
      Type.Object(
        {
          provider: Type.String({ description: "As in the configuration." }),
          name: Type.String({ description: "Name of the model." }),
        },
        { description: "What wrote the answer; null for a search." },
      ),
    ),
    support: supportField,
    timings: Type.Object(
      {
        retrievalMs: Type.Number({ description: "Time of the search." }),
        answerMs: Type.Number({ description: "Time of writing the answer." }),
        totalMs: Type.Number({ description: "Time of the search, of the writing and of the steps between them." }),
      },
      { description: "In milliseconds." },
    ),
    warnings: Type.Array(Type.String(), { description: "What was cut, left out or done differently than asked." }),
  },
  { $id: "Receipt", description: "How the answer was made: what was searched, kept and left out, and why." },
);
