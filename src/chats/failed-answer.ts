import { ApiError, type ErrorCode } from "../domain/errors.ts";
import { toApiError } from "../models/api-error.ts";

const modelCodes: readonly ErrorCode[] = ["model_failed", "model_unreachable", "model_timeout"];
/** Failures that happen only after the sent message is stored. */
const codesAfterStoring: readonly ErrorCode[] = [...modelCodes, "question_too_long"];

/** A visitor is not told how the model failed. */
const messageToVisitors = "The model that writes the answers is not working at the moment: ask again later.";

/** The failure of an answer, as the sender of the message reads it: the sent message is stored nevertheless. */
export const failedAnswer = (error: unknown, isForVisitor: boolean): unknown => {
  const known = toApiError(error);
  if (!codesAfterStoring.includes(known.code)) return error;
  const withStored = (text: string) => `${text}${/[.!?]$/.test(text) ? "" : "."} The sent message is stored.`;
  const message = isForVisitor && modelCodes.includes(known.code) ? messageToVisitors : known.message;
  return new ApiError(known.code, withStored(message), {
    headers: known.headers,
    reason: known.reason === null ? null : withStored(known.reason),
    cause: error,
  });
};
