import { ProviderError } from "../../providers/contract.ts";
import { ApiError } from "../domain/errors.ts";
import { isOutOfFiles } from "../system/faults.ts";

/** For a server that does not say how long to wait, and failures that a moment may mend: they are answered with 503. */
const defaultRetryMs = 5_000;
const passing: readonly ProviderError["kind"][] = ["unreachable", "rate_limited", "aborted"];

const names: Record<ProviderError["service"], string> = {
  answer: "The model that writes the answers",
  embedding: "The embedding model",
  reranker: "The reranking model",
  parser: "The parser",
};

/**
 * The error for a caller whose request failed with a model or parser: 502 if it answered with an error, 503 if it cannot
 * be reached or has no room (with `Retry-After`), 504 if it was silent for too long. The provider's
 * message, which may contain the server's address and words, becomes the reason.
 */
export const modelFailure = (error: ProviderError): ApiError => {
  const side = error.service === "parser" ? "parser" : "model";
  const name = names[error.service];
  const retryAfterMs = error.retryAfterMs ?? (passing.includes(error.kind) ? defaultRetryMs : null);
  const headers: Record<string, string> =
    retryAfterMs === null ? {} : { "Retry-After": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
  const options = { headers, reason: error.message, cause: error };
  switch (error.kind) {
    case "unreachable":
      return new ApiError(`${side}_unreachable`, `${name} cannot be reached at the moment: try again later.`, options);
    case "rate_limited":
      return new ApiError(`${side}_unreachable`, `${name} has no room at the moment: try again later.`, options);
    case "timeout":
      return new ApiError(`${side}_timeout`, `${name} took too long.`, options);
    case "too_long":
      return error.service === "answer"
        ? new ApiError("question_too_long", "The question does not fit the model's context: shorten it.", options)
        : new ApiError(`${side}_failed`, `${name} failed: a text is too long for it.`, options);
    case "bad_answer":
    case "model_missing":
    case "unauthorized":
      return new ApiError(`${side}_failed`, `${name} failed.`, options);
    case "aborted":
      // Either the client is gone and does not see this, or the server is stopping.
      return new ApiError("draining", "The server is stopping: send the request again in a moment.", {
        headers,
        cause: error,
      });
  }
};

/** Any failure as an error for the caller. Unexpected failures become `internal`, without details. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  if (error instanceof ProviderError) return modelFailure(error);
  if (isOutOfFiles(error))
    return new ApiError(
      "storage_unavailable",
      "The server has as many files and connections open as the system allows it (`ulimit -n`). Send this again in a moment; the operator can raise the limit.",
      { headers: { "retry-after": "5" }, cause: error },
    );
  return new ApiError("internal", "Something went wrong in the server. Its log holds the cause under this requestId.", {
    cause: error,
  });
};
