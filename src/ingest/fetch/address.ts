import dns from "node:dns";
import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { ApiError, invalidField } from "../../domain/errors.ts";
import { fetchFailed, shown } from "./contract.ts";

/**
 * Whether a server may fetch an address that outsiders sent: only globally routed unicast. Loopback, private,
 * link-local, shared, multicast, documentation and reserved ranges are refused, and so are 6to4 and Teredo (RFC 3056,
 * RFC 4380), which can carry any IPv4 address. IPv4-mapped and NAT64 addresses (RFC 4291, RFC 6052) count as the IPv4
 * address they carry. Text that is not an address is refused.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast";
  const range = parsed.range();
  if (range === "ipv4Mapped" || isWellKnownNat64(parsed)) {
    return new ipaddr.IPv4(parsed.toByteArray().slice(12)).range() === "unicast";
  }
  // RFC 4291 2.4: all global unicast addresses assigned today are in 2000::/3.
  return range === "unicast" && parsed.match(ipaddr.IPv6.parse("2000::"), 3);
};

const isWellKnownNat64 = (address: ipaddr.IPv6): boolean => address.match(ipaddr.IPv6.parse("64:ff9b::"), 96);

/** The literal address in a URL's hostname, without brackets and final dot; null for a name. */
export const literalAddress = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return ipaddr.isValid(bare) ? bare : null;
};

const maxUrlCharacters = 8_192;

/** An address as a caller sent it. @param field for error messages @throws ApiError invalid_request */
export const readUrl = (text: string, field: string): URL => {
  const url = text.length <= maxUrlCharacters && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === "") throw invalidField(field, "must be a complete address, such as https://…");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalidField(field, "must begin with http:// or https://");
  }
  if (url.username !== "" || url.password !== "") throw invalidField(field, "must not hold a user name or password");
  return url;
};

/** Where a redirect leads; null for any other answer. @throws ApiError fetch_failed where it leads nowhere */
export const redirectTarget = ({ statusCode = 0, headers }: IncomingMessage, url: URL): URL | null => {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return null;
  if (location.length > maxUrlCharacters || !URL.canParse(location, url.href)) {
    throw fetchFailed(url, "its redirect is broken");
  }
  const target = new URL(location, url);
  if (target.protocol !== "http:" && target.protocol !== "https:") {
    throw fetchFailed(url, "it redirects to something other than http or https");
  }
  if (target.username !== "" || target.password !== "") {
    throw fetchFailed(url, "it redirects to an address with a user name");
  }
  return target;
};

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Name to addresses. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** The system's resolver. */
export const systemResolve: Resolve = async (hostname) =>
  (await dns.promises.lookup(hostname, { all: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/** The addresses of a URL's host. @throws ApiError address_refused where one of them is not allowed; fetch_failed */
export const allowedAddresses = async (
  url: URL,
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
): Promise<ResolvedAddress[]> => {
  const literal = literalAddress(url.hostname);
  const found: ResolvedAddress[] = literal
    ? [{ address: literal, family: literal.includes(":") ? 6 : 4 }]
    : await resolve(url.hostname.replace(/\.$/, ""));
  if (found.length === 0) throw fetchFailed(url, "no such host");
  if (!found.every(({ address }) => isAllowed(address))) {
    throw new ApiError(
      "address_refused",
      `${shown(url)} leads to an address of this machine or of a private network. ` +
        "Set fetch.allowPrivateAddresses to true to allow such addresses.",
    );
  }
  return found;
};
