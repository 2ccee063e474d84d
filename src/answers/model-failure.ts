import type { ProviderError } from "../../providers/contract.ts";
import { ApiError } from "../errors.ts";

/** For a busy server that does not say how long. */
const UNTOLD_PAUSE_MS = 5_000;

/**
 * What a caller is told when a model or parser failed under a request: 502 it answered with an error, 503 it cannot be
 * reached or has no room now (with `Retry-After` where it said how long), 504 it was silent too long. The provider's
 * message goes on as it is: it says what to do next and holds no secret.
 */
export const modelFailure = (error: ProviderError): ApiError => {
  const side = error.service === "parser" ? "parser" : "model";
  const retryAfterMs = error.retryAfterMs ?? (error.kind === "rate_limited" ? UNTOLD_PAUSE_MS : null);
  const headers: Record<string, string> =
    retryAfterMs === null ? {} : { "Retry-After": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
  const options = { headers, cause: error };
  switch (error.kind) {
    case "unreachable":
    case "rate_limited":
      return new ApiError(`${side}_unreachable`, error.message, options);
    case "timeout":
      return new ApiError(`${side}_timeout`, error.message, options);
    case "too_long":
      return error.service === "answer"
        ? new ApiError("question_too_long", error.message, options)
        : new ApiError(`${side}_failed`, error.message, options);
    case "bad_answer":
    case "model_missing":
    case "unauthorized":
      return new ApiError(`${side}_failed`, error.message, options);
    case "aborted":
      // Seen by nobody where the client went away; at the drain deadline it is the truth.
      return new ApiError("draining", "The server is stopping: send the request again in a moment.", options);
  }
};
