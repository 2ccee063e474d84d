import { ApiError, type ErrorCode } from "../domain/errors.ts";
import { toApiError } from "../models/api-error.ts";

const modelCodes: readonly ErrorCode[] = ["model_failed", "model_unreachable", "model_timeout"];
/** What goes wrong only once the sent message is stored. */
const codesAfterStoring: readonly ErrorCode[] = [...modelCodes, "question_too_long"];

/** To a visitor, how the model failed is all the same. */
const toVisitors = "The model that writes the answers does not work at the moment: ask again later.";

/** The failure of an answer as its sender is told of it: that the message sent is stored all the same. */
export const failedAnswer = (error: unknown, toVisitor: boolean): unknown => {
  const known = toApiError(error);
  if (!codesAfterStoring.includes(known.code)) return error;
  const withStored = (text: string) => `${text}${/[.!?]$/.test(text) ? "" : "."} The message sent is stored.`;
  const message = toVisitor && modelCodes.includes(known.code) ? toVisitors : known.message;
  return new ApiError(known.code, withStored(message), {
    headers: known.headers,
    reason: known.reason === null ? null : withStored(known.reason),
    cause: error,
  });
};
