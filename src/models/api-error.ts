import { ProviderError } from "../../providers/contract.ts";
import { ApiError } from "../domain/errors.ts";
import { modelFailure } from "./model-failure.ts";

/** Any failure as an error for the caller. Unexpected failures become `internal`, without details. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  if (error instanceof ProviderError) return modelFailure(error);
  return new ApiError("internal", "Something went wrong in the server. Its log holds the cause under this requestId.", {
    cause: error,
  });
};
