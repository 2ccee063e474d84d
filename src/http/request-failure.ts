import { ApiError } from "../domain/errors.ts";
import { toApiError } from "../models/model-failure.ts";
import type { HttpDependencies } from "./dependencies.ts";
import type { Frame } from "./frame.ts";

/**
 * The failure to answer with. Those that concern the operator are logged: unexpected errors with their stack, any other
 * 5xx with code and detail. A client that went away is not logged as a failure.
 */
export const failureOf = (
  error: unknown,
  request: Request,
  frame: Frame,
  { log, lifecycle, store }: Pick<HttpDependencies, "log" | "lifecycle" | "store">,
): ApiError => {
  const fields = { requestId: frame.requestId, method: request.method, path: frame.path };
  if (request.signal.aborted && !lifecycle.signal.aborted) {
    log.debug(fields, "client went away");
    return toApiError(error);
  }
  const known =
    lifecycle.signal.aborted && !(error instanceof ApiError)
      ? stopping()
      : withoutFolder(toApiError(error), frame, store);
  if (!frame.isLogged()) return known;
  if (known.code === "internal") log.error({ ...fields, err: known.cause ?? known }, "request failed");
  else if (known.status >= 500 || known.reason !== null)
    log.warn({ ...fields, code: known.code, detail: known.reason ?? known.message }, "request failed");
  return known;
};

/** Where the data directory is not in its place, that is why something failed in a way nobody foresaw, or is not there. */
const withoutFolder = (error: ApiError, frame: Frame, { condition }: HttpDependencies["store"]): ApiError =>
  error.code === "internal" || (error.status === 404 && frame.principal !== null)
    ? (condition.whyGone() ?? error)
    : error;

/** The answer while the server stops. */
export const stopping = (): ApiError =>
  new ApiError("draining", "The server is stopping: send the request again in a moment.", {
    headers: { "retry-after": "5", connection: "close" },
  });
