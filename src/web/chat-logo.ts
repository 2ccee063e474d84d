import { fileTypeFromBuffer } from "file-type";
import { LRUCache } from "lru-cache";
import type { Config } from "../../config/schema.ts";
import { createFetcher } from "../ingest/fetch/fetcher.ts";

export interface Logo {
  bytes: Uint8Array;
  mimeType: string;
}

/** The logo at an address; null if there is no picture. */
type FetchLogo = (address: string, signal: AbortSignal) => Promise<Logo | null>;

const maxBytes = 512 * 1024;
const timeoutMs = 10_000;
const maxLogos = 100;
const keptMs = 3_600_000;
const failureKeptMs = 60_000;
/** Pictures that browsers show. An SVG could hold scripts and addresses. */
const mimeTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/**
 * Fetches logos of public chats for their page, which loads nothing from other hosts: so visitors are not shown to the
 * logo's host. Addresses are checked as those of documents are.
 */
export const createLogoFetcher = ({ fetch }: Pick<Config, "fetch">): FetchLogo => {
  const fetchUrl = createFetcher({ ...fetch, maxBytes, timeoutMs });
  const logos = new LRUCache<string, { logo: Logo | null }>({ max: maxLogos });

  const read = async (address: string, signal: AbortSignal): Promise<Logo | null> => {
    const { bytes } = await fetchUrl(address, { signal, accept: "image/*" });
    const found = await fileTypeFromBuffer(bytes);
    return found === undefined || !mimeTypes.includes(found.mime) ? null : { bytes, mimeType: found.mime };
  };

  return async (address, signal) => {
    const known = logos.get(address);
    if (known !== undefined) return known.logo;
    const logo = await read(address, signal).catch(() => {
      signal.throwIfAborted();
      return null;
    });
    logos.set(address, { logo }, { ttl: logo === null ? failureKeptMs : keptMs });
    return logo;
  };
};
