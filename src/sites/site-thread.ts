import { createWatchedThread } from "../async/threads/watched-thread.ts";
import { ApiError } from "../domain/errors.ts";
import type { SiteAnswers, SiteRequest } from "./site-requests.ts";

/** Longest time for one file of a site, the waiting for others included. */
const LONGEST_MS = 30_000;
/** Between two pieces of a file others have their turn; none takes so long. */
const LONGEST_STRETCH_MS = 10_000;

const tookTooLong = () =>
  new ApiError("fetch_failed", `What the site sent could not be read within ${LONGEST_MS / 1_000} s.`);

/** One for the process, from the first site on. */
const thread = createWatchedThread<SiteRequest, SiteAnswers[SiteRequest["kind"]]>({
  path: "src/sites/site-worker.ts",
  name: "sites",
  longestStretchMs: LONGEST_STRETCH_MS,
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
  const limit = AbortSignal.timeout(LONGEST_MS);
  try {
    return (await thread.ask(request, AbortSignal.any([signal, limit]))) as SiteAnswers[Asked["kind"]];
  } catch (error) {
    signal.throwIfAborted();
    throw limit.aborted ? tookTooLong() : error;
  }
};
