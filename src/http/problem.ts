import { Type } from "@sinclair/typebox";
import { type ErrorCode, errorTable, type FieldFault } from "../domain/errors.ts";
import { type Reader, seesReasons } from "../domain/records.ts";
import { pathPrefixOf } from "../domain/web-address.ts";
import { toApiError } from "../models/model-failure.ts";
import { choiceField } from "./schema/fields.ts";

/** A failure as OpenAI's API tells it. */
interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string };
}

/** Whether a path is one of OpenAI's API, whose clients read failures in its form alone. */
export const isOpenAiPath = (path: string): boolean => path === "/v1" || path.startsWith("/v1/");

/** @param problem the problem document that tells the same */
export const openAiError = (problem: ProblemDocument): OpenAiError => {
  const { status, code, errors } = problem;
  return {
    error: {
      message: detailWithId(problem),
      type: typeOf(status),
      param: errors?.[0]?.path || null,
      // Clients test for this one.
      code: status === 401 ? "invalid_api_key" : code,
    },
  };
};

/** What happened, in a form that has no place for the request id: by it the log holds the reason of a server's failure. */
export const detailWithId = ({ status, detail, requestId }: ProblemDocument): string =>
  status >= 500 ? `${detail} (requestId: ${requestId})` : detail;

const typeOf = (status: number): string => {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
};

const reasonIsLogged = "The server's log holds the reason under this requestId.";

/** Body of every error (RFC 9457). `type` is a page of this server, `/docs/errors#<code>`, under its prefix. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Path of the request that failed. */
  instance: string;
  code: ErrorCode;
  requestId: string;
  errors?: FieldFault[];
}

/** The request that failed: its path, without query, and the address under which clients reach this server. */
export interface FailedAt {
  path: string;
  baseUrl: string;
}

export const problemDocument = (
  error: unknown,
  requestId: string,
  at: FailedAt,
  reader: Reader = null,
): ProblemDocument => {
  const { code, message, reason, errors } = toApiError(error);
  const { status, title } = errorTable[code];
  const prefix = pathPrefixOf(at.baseUrl);
  // A visitor has no access to the log, and no administrator to ask.
  const isReferredToLog = reason !== null && reader !== null;
  const publicDetail = isReferredToLog ? `${message} ${reasonIsLogged}` : message;
  return {
    type: `${prefix}/docs/errors#${code}`,
    title,
    status,
    detail: reason !== null && seesReasons(reader) ? reason : publicDetail,
    instance: prefix + at.path,
    code,
    requestId,
    ...(errors ? { errors } : {}),
  };
};

/** The whole answer to a failed request, in OpenAI's form where its API was asked; `WWW-Authenticate` and the error's own headers included. */
export const problemResponse = (error: unknown, requestId: string, at: FailedAt, reader: Reader = null): Response => {
  const known = toApiError(error);
  const isOpenAi = isOpenAiPath(at.path);
  const headers = new Headers({
    "content-type": isOpenAi ? "application/json" : "application/problem+json",
    "x-request-id": requestId,
  });
  // OpenAI's clients would ask a model that is dead three times, and wait in between.
  if (isOpenAi && /^model_/.test(known.code) && known.status >= 500) headers.set("x-should-retry", "false");
  if (known.status === 401) headers.set("www-authenticate", "Bearer");
  for (const [name, value] of Object.entries(known.headers)) headers.set(name, value);
  const document = problemDocument(known, requestId, at, reader);
  const body = JSON.stringify(isOpenAi ? openAiError(document) : document);
  return new Response(body, { status: known.status, headers });
};

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
