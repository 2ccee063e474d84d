/** What was thrown, in words: anything can be thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code of a failed system call, such as `ENOENT`; null for what has none. */
export const codeOf = (error: unknown): string | null => {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : null;
};

/** A command failed: exit status 1. The message says what to do next. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

/** The arguments of a command are wrong: exit status 2. */
export class UsageFailure extends Error {
  override readonly name = "UsageFailure";
}

/**
 * All errors of the API: code -> HTTP status and title. `code` is stable; clients may test for it. The documentation page
 * of errors is generated from this table.
 */
export const errorTable = {
  malformed_body: { status: 400, title: "The body cannot be read" },
  invalid_request: { status: 400, title: "A field is missing or wrong" },
  no_source: { status: 400, title: "Nothing to ingest" },
  several_sources: { status: 400, title: "More than one source" },
  scope_conflict: { status: 400, title: "Document and partition contradict" },
  partition_conflict: { status: 400, title: "Partition name and id contradict" },
  unsupported_value: { status: 400, title: "A value is not supported" },
  query_too_long: { status: 400, title: "The question is too long" },
  address_refused: { status: 400, title: "The address may not be fetched" },
  key_missing: { status: 401, title: "No API key" },
  key_unknown: { status: 401, title: "Unknown API key" },
  key_expired: { status: 401, title: "The API key has expired" },
  session_ended: { status: 401, title: "The session has ended" },
  session_header_missing: { status: 403, title: "The session's header is missing" },
  role_forbidden: { status: 403, title: "The key's role does not allow this" },
  key_limited: { status: 403, title: "The key is limited to one partition" },
  organization_forbidden: { status: 403, title: "The key's organization does not allow this" },
  origin_forbidden: { status: 403, title: "This web origin is not allowed" },
  route_not_found: { status: 404, title: "No such path" },
  document_not_found: { status: 404, title: "No such document" },
  model_not_found: { status: 404, title: "No such model" },
  partition_not_found: { status: 404, title: "No such partition" },
  chat_not_found: { status: 404, title: "No such chat" },
  message_not_found: { status: 404, title: "No such message" },
  receipt_not_found: { status: 404, title: "No such receipt" },
  feedback_not_found: { status: 404, title: "No such feedback" },
  key_not_found: { status: 404, title: "No such key" },
  delivery_not_found: { status: 404, title: "No such webhook delivery" },
  file_not_found: { status: 404, title: "The document has no file" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  body_too_slow: { status: 408, title: "The body did not arrive in time" },
  partition_name_taken: { status: 409, title: "The name is taken" },
  partition_not_empty: { status: 409, title: "The partition still holds documents" },
  chat_scope_gone: { status: 409, title: "The chat's document or partition was deleted" },
  document_busy: { status: 409, title: "The document's state does not allow this" },
  webhook_gone: { status: 409, title: "The webhook is no longer configured" },
  quota_reached: { status: 409, title: "The quota is reached" },
  part_not_configured: { status: 409, title: "The server has no such model or parser" },
  backup_refused: { status: 409, title: "The backup cannot begin" },
  idempotency_conflict: { status: 409, title: "The idempotency key was used for another request" },
  body_too_large: { status: 413, title: "The body is too large" },
  document_too_large: { status: 413, title: "The document is too large" },
  metadata_too_large: { status: 413, title: "The metadata is too large" },
  answer_too_large: { status: 413, title: "The answer would be too large" },
  question_too_long: { status: 413, title: "The question does not fit the model's context" },
  unsupported_media_type: { status: 415, title: "Unsupported content type" },
  unsupported_file_type: { status: 415, title: "Unsupported file type" },
  no_text: { status: 422, title: "No text found" },
  unreadable_file: { status: 422, title: "The file cannot be read" },
  fetch_failed: { status: 422, title: "The address could not be fetched" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Internal error" },
  data_damaged: { status: 500, title: "Stored data is damaged" },
  model_failed: { status: 502, title: "The model answered with an error" },
  parser_failed: { status: 502, title: "The parser answered with an error" },
  model_unreachable: { status: 503, title: "The model cannot be reached" },
  parser_unreachable: { status: 503, title: "The parser cannot be reached" },
  draining: { status: 503, title: "The server is stopping" },
  index_incomplete: { status: 503, title: "The search index is being made again" },
  storage_unavailable: { status: 503, title: "The store cannot write" },
  overloaded: { status: 503, title: "The server is overloaded" },
  model_timeout: { status: 504, title: "The model did not answer in time" },
  parser_timeout: { status: 504, title: "Parsing took too long" },
  fetch_timeout: { status: 504, title: "The address did not answer in time" },
} as const;

export type ErrorCode = keyof typeof errorTable;

/** An invalid field; `path` as in `metadata.source`, empty for the whole body. */
export interface FieldFault {
  path: string;
  message: string;
}

/** An error that is reported to the caller. `message` says what to do next and holds no secret, path or stack. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly errors: FieldFault[] | null;
  /** Extra response headers, such as `Retry-After` or `Allow`. */
  readonly headers: Record<string, string>;
  /** The message and address of a model or parser server: admin keys and the log get this in place of `message`. */
  readonly reason: string | null;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: FieldFault[]; headers?: Record<string, string>; reason?: string | null; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? null;
    this.headers = options.headers ?? {};
    this.reason = options.reason ?? null;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** Does the work; if it refuses an address, the error names the field that held it. */
export const withAddressIn = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "address_refused") throw error;
    const errors = [{ path, message: "leads to an address that may not be fetched" }];
    throw new ApiError(error.code, error.message, { errors, cause: error });
  }
};

/** A 400 that names the invalid field. */
export const invalidField = (path: string, message: string): ApiError =>
  new ApiError("invalid_request", `${path}: ${message}`, { errors: [{ path, message }] });

/** The error of a limit that is reached. @param detail a sentence @param waitMs until the next request is accepted */
export const rateLimited = (detail: string, waitMs: number): ApiError => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ApiError("rate_limited", `${detail} Try again in ${seconds} s.`, {
    headers: { "Retry-After": String(seconds) },
  });
};
