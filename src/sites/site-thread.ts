import { createWatchedThread } from "../async/threads/watched-thread.ts";
import { ApiError } from "../domain/errors.ts";
import type { SiteAnswers, SiteRequest } from "./site-requests.ts";

/** For one file of a site, including the wait for others. */
const maxMs = 30_000;
/** Between two pieces of a file other requests have their turn: no piece may take longer. */
const maxSliceMs = 10_000;

const tookTooLong = () =>
  new ApiError("fetch_failed", `What the site sent could not be read within ${maxMs / 1_000} s.`);

/** One for the process, started with the first request. */
const thread = createWatchedThread<SiteRequest, SiteAnswers[SiteRequest["kind"]]>({
  path: "src/sites/site-worker.ts",
  name: "sites",
  maxSliceMs,
  tookTooLong,
});

/**
 * Reads what a site sent on a thread of its own, so that a hostile site delays nobody else.
 * @throws ApiError fetch_failed where it takes too long; the signal's reason
 */
export const readOnThread = async <Asked extends SiteRequest>(
  request: Asked,
  signal: AbortSignal,
): Promise<SiteAnswers[Asked["kind"]]> => {
  const limit = AbortSignal.timeout(maxMs);
  try {
    return (await thread.ask(request, AbortSignal.any([signal, limit]))) as SiteAnswers[Asked["kind"]];
  } catch (error) {
    signal.throwIfAborted();
    throw limit.aborted ? tookTooLong() : error;
  }
};
