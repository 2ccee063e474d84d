import { ApiError } from "./errors.ts";

/** The error of a limit that is reached. @param detail a sentence @param waitMs until the next request is accepted */
export const rateLimited = (detail: string, waitMs: number): ApiError => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ApiError("rate_limited", `${detail} Try again in ${seconds} s.`, {
    headers: { "Retry-After": String(seconds) },
  });
};
