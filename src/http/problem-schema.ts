import { Type } from "@sinclair/typebox";
import { type ErrorCode, errorTable } from "../domain/errors.ts";
import type { ProblemDocument } from "./problem.ts";
import { choiceField } from "./schema/fields.ts";

/** What is wrong with a field, in a problem document. */
const fieldFaultSchema = Type.Object(
  {
    path: Type.String({ description: "The field, such as `metadata.source`; empty for the whole body." }),
    message: Type.String({ description: "What is wrong with it." }),
  },
  { $id: "FieldFault", description: "A field at fault." },
);

/** Body of every error, as `problemDocument` (problem.ts) makes it. */
export const problemSchema = Type.Object(
  {
    type: Type.String({ description: "Page about this code." }),
    title: Type.String({ description: "What the code means, in short." }),
    status: Type.Integer({ description: "HTTP status." }),
    detail: Type.String({ description: "What happened and what to do next." }),
    instance: Type.String({ description: "Path of the request." }),
    code: choiceField(Object.keys(errorTable) as ErrorCode[], {
      $id: "ErrorCode",
      description: "Stable name of a failure.",
    }),
    requestId: Type.String({ description: "As in the header `X-Request-Id`." }),
    errors: Type.Optional(Type.Array(fieldFaultSchema, { description: "Fields at fault." })),
  },
  { $id: "Problem", description: "What went wrong (RFC 9457)." },
);

/** The same as OpenAI's API tells it (openai-error.ts). */
export const openAiErrorSchema = Type.Object(
  {
    error: Type.Object({
      message: Type.String({ description: "What happened and what to do next." }),
      type: choiceField([
        "invalid_request_error",
        "authentication_error",
        "permission_error",
        "rate_limit_error",
        "server_error",
      ]),
      param: Type.Union([Type.String(), Type.Null()], { description: "The field at fault." }),
      code: Type.String({ description: "Stable name of the failure." }),
    }),
  },
  { $id: "OpenAiError", description: "What went wrong, in OpenAI's form." },
);

/** A problem document of this code, to be shown. */
export const exampleProblem = (code: ErrorCode, instance: string): ProblemDocument => ({
  type: `/docs/errors#${code}`,
  title: errorTable[code].title,
  status: errorTable[code].status,
  detail: `${errorTable[code].title}.`,
  instance,
  code,
  requestId: "0198c5a0-7c1e-7d53-9f5b-2f1f6c0c9a10",
});
