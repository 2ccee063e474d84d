import { ProviderError } from "../../providers/contract.ts";
import { ApiError } from "../domain/errors.ts";
import { isOutOfFiles } from "../system/out-of-files.ts";
import { modelFailure } from "./model-failure.ts";

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
