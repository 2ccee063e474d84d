import { type ErrorCode, errorTable, type FieldFault } from "../domain/errors.ts";
import { type Reader, seesReasons } from "../domain/principal.ts";
import { pathPrefixOf } from "../domain/web-address.ts";
import { toApiError } from "../models/model-failure.ts";
import { isOpenAiPath, openAiError } from "./openai-error.ts";

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
