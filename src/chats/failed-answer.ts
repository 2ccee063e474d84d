import { ApiError, type ErrorCode } from "../errors.ts";
import { toApiError } from "../http/problem.ts";

/** What goes wrong only once the sent message is stored. */
const codesAfterStoring: readonly ErrorCode[] = [
  "model_failed",
  "model_unreachable",
  "model_timeout",
  "question_too_long",
];

/** The failure of an answer as its sender is told of it: that the message sent is stored all the same. */
export const failedAnswer = (error: unknown): unknown => {
  const known = toApiError(error);
  if (!codesAfterStoring.includes(known.code)) return error;
  const withStored = (text: string) => `${text}${/[.!?]$/.test(text) ? "" : "."} The message sent is stored.`;
  return new ApiError(known.code, withStored(known.message), {
    headers: known.headers,
    reason: known.reason === null ? null : withStored(known.reason),
    cause: error,
  });
};
