import { LRUCache } from "lru-cache";
import { ApiError } from "../domain/errors.ts";
import { AnsweredStatusError, type FetchUrl, type HeadersFor } from "../ingest/fetch/contract.ts";
import { readOnThread } from "./site-thread.ts";

/** What a host's robots.txt says (RFC 9309). */
export interface RobotsRules {
  /**
   * Whether each of the addresses may be fetched, in their order.
   * @throws ApiError fetch_failed where the rules take too long to apply; the signal's reason
   */
  allowed(addresses: readonly string[], signal: AbortSignal): Promise<boolean[]>;
  /** Pause that it asks for between two fetches; 0 where it asks for none. */
  crawlDelayMs: number;
  /** Addresses of sitemaps, as they are written there. */
  sitemaps: string[];
}

export interface Robots {
  /**
   * The rules for an address, remembered for an hour.
   * @throws ApiError fetch_failed, fetch_timeout, address_refused: without its rules nothing is fetched from a host
   */
  rulesFor(address: string, signal: AbortSignal, headersFor?: HeadersFor): Promise<RobotsRules>;
  /** Has the rules for the address read again: a requested scan follows the current robots.txt. */
  forget(address: string): void;
}

/** RFC 9309, 2.5: at least 500 KiB are to be read. */
const maxCharacters = 512 * 1024;
const rememberedMs = 3_600_000;
const failureRememberedMs = 60_000;
const maxRemembered = 500;

/** The largest number of bytes in UTF-8 that this many characters can take. */
const maxBytes = maxCharacters * 3;

const allowAll: RobotsRules = {
  allowed: async (addresses) => addresses.map(() => true),
  crawlDelayMs: 0,
  sitemaps: [],
};

export const createRobots = (fetchUrl: FetchUrl): Robots => {
  const remembered = new LRUCache<string, RobotsRules | ApiError>({ max: maxRemembered });

  const rulesFor: Robots["rulesFor"] = async (address, signal, headersFor) => {
    const { origin } = new URL(address);
    let rules = remembered.get(origin);
    if (rules === undefined) {
      rules = await readRules(fetchUrl, origin, signal, headersFor).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof ApiError) return error;
        throw error;
      });
      remembered.set(origin, rules, { ttl: rules instanceof ApiError ? failureRememberedMs : rememberedMs });
    }
    if (rules instanceof ApiError) throw rules;
    return rules;
  };

  return { rulesFor, forget: (address) => void remembered.delete(new URL(address).origin) };
};

const readRules = async (
  fetchUrl: FetchUrl,
  origin: string,
  signal: AbortSignal,
  headersFor?: HeadersFor,
): Promise<RobotsRules> => {
  const address = `${origin}/robots.txt`;
  try {
    const { bytes, charset } = await fetchUrl(address, { signal, accept: "text/plain,*/*;q=0.5", headersFor });
    const text = new TextDecoder(charset === "iso-8859-1" ? "latin1" : "utf-8").decode(bytes.subarray(0, maxBytes));
    return await rulesIn(address, text.slice(0, maxCharacters), signal);
  } catch (error) {
    // RFC 9309, 2.3.1: no such file, no rules; a server error means that nothing is allowed.
    const { answered } = error instanceof AnsweredStatusError ? error : { answered: 0 };
    if (answered >= 400 && answered < 500 && answered !== 429) return allowAll;
    if (answered === 0) throw error;
    throw new ApiError(
      "fetch_failed",
      `${address} could not be read (the server answered ${answered}): nothing is fetched from there without it.`,
      { cause: error },
    );
  }
};

const rulesIn = async (address: string, text: string, signal: AbortSignal): Promise<RobotsRules> => {
  if (text.trim() === "") return allowAll;
  const facts = await readOnThread({ kind: "robots", address, text }, signal);
  return {
    ...facts,
    async allowed(pages, signal) {
      const allowed = await readOnThread({ kind: "allowed", address, text, pages }, signal);
      if (allowed !== null) return allowed;
      throw new ApiError(
        "fetch_failed",
        `${address} has more rules, or more with wildcards, than can be applied: nothing is fetched from there.`,
      );
    },
  };
};
