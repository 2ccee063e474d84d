import { ApiError, messageOf } from "../../domain/errors.ts";
import { createFetcher } from "../../ingest/fetch/fetcher.ts";
import { createPageFetcher, type PageFetcher } from "../../sites/page-fetcher.ts";
import { createSiteHeaders } from "../../sites/site-settings.ts";
import { type Check, type DoctorContext, failed, fine, type Told } from "./finding.ts";

/** For one site: a crawl waits longer. */
const maxMs = 10_000;
const maxBytes = 10_000_000;

/** Fetches the first page of each followed site, as a crawl does. */
export const sitesCheck: Check = {
  name: "sites",
  isQuick: false,
  async run({ config, signal }) {
    const { allowPrivateAddresses } = config.fetch;
    const fetchUrl = createFetcher({ allowPrivateAddresses, maxBytes, timeoutMs: maxMs });
    const fetcher = createPageFetcher({ fetchUrl, pauseMs: 1 });
    return await Promise.all(config.sites.map((site) => siteFinding(fetcher, site, signal)));
  },
};

const siteFinding = async (
  fetcher: PageFetcher,
  { url, headers }: DoctorContext["config"]["sites"][number],
  signal: AbortSignal,
): Promise<Told> => {
  const { origin, pathname } = new URL(url);
  // What comes after the path may be a secret.
  const shown = `${origin}${pathname}`;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
  try {
    await fetcher.fetchPage(url, { signal: limit, headersFor: createSiteHeaders(url, headers) });
    return fine(`${shown} can be fetched.`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.code === "address_refused")
      return failed(
        `The site ${shown} is at an address of this machine or of a private network, which may not be fetched.`,
        "Set fetch.allowPrivateAddresses (CARREL_FETCH_ALLOW_PRIVATE_ADDRESSES) to true.",
      );
    const reason = limit.aborted ? `it did not answer within ${maxMs / 1_000} s` : messageOf(error);
    return failed(
      `The site ${shown} cannot be crawled: ${reason}`,
      "Correct sites[].url, let this machine reach the site, or set sites[].headers where it asks who it is. Its documents are kept meanwhile.",
    );
  }
};
