import { unlessAborted } from "../../async/waiting.ts";
import { ApiError } from "../../domain/errors.ts";
import { allowedAddresses, isPublicAddress, type Resolve, readUrl, redirectTarget, systemResolve } from "./address.ts";
import { type FetchedFile, type FetchRequest, type FetchUrl, fetchFailed, fetchFailure, shown } from "./contract.ts";
import { readAnswer, sendRequest } from "./exchange.ts";

export interface FetcherOptions {
  /** Also allow addresses of this machine and of private networks. */
  allowPrivateAddresses: boolean;
  /** Of a body, before and after decompression. */
  maxBytes: number;
  /** For one `fetchUrl`, redirects and body included. */
  timeoutMs: number;
  /** `systemResolve` unless given. */
  resolve?: Resolve;
  /** Which addresses count as public; `isPublicAddress` unless given. */
  isAllowedAddress?: (address: string) => boolean;
}

const maxRedirects = 5;

/**
 * A fetcher that cannot be led to places its operator did not allow: the name of each hop is resolved once, every
 * address is checked, and the connection is made to a checked address, not to what a second lookup might return.
 */
export const createFetcher = (options: FetcherOptions): FetchUrl => {
  const resolve = options.resolve ?? systemResolve;
  const isAllowed = (address: string) =>
    options.allowPrivateAddresses || (options.isAllowedAddress ?? isPublicAddress)(address);

  const follow = async (start: URL, request: FetchRequest, signal: AbortSignal): Promise<FetchedFile> => {
    let url = start;
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const hopUrl = url;
      await request.checkHop?.(hopUrl);
      const addresses = await unlessAborted(allowedAddresses(hopUrl, resolve, isAllowed), signal).catch((cause) => {
        throw signal.aborted ? cause : fetchFailure(hopUrl, cause);
      });
      const response = await sendRequest(hopUrl, addresses, request, signal);
      try {
        const location = redirectTarget(response, hopUrl);
        if (location === null) return await readAnswer(response, hopUrl, options.maxBytes);
        url = location;
      } finally {
        response.destroy();
      }
    }
    throw fetchFailed(start, `more than ${maxRedirects} redirects`);
  };

  return async (text, request) => {
    const url = readUrl(text, request.field ?? "url");
    request.signal.throwIfAborted();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), options.timeoutMs);
    const signal = AbortSignal.any([request.signal, limit.signal]);
    try {
      return await unlessAborted(follow(url, request, signal), signal);
    } catch (cause) {
      request.signal.throwIfAborted();
      if (limit.signal.aborted) {
        throw new ApiError("fetch_timeout", `${shown(url)} took longer than ${options.timeoutMs} ms to fetch.`);
      }
      throw fetchFailure(url, cause);
    } finally {
      clearTimeout(timer);
    }
  };
};
