import ipaddr from "ipaddr.js";
import type { Config } from "../../config/schema.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The client as trusted proxies describe it. */
interface Client {
  address: string;
  /** As a trusted proxy says; null where none does. */
  protocol: "http" | "https" | null;
  /** The requested host as a trusted proxy says; null where none does. */
  host: string | null;
}

/**
 * Finds the client behind trusted proxies. `X-Forwarded-*` counts only where the connection itself comes from one; the
 * address is the last in `X-Forwarded-For` that is not a trusted proxy's.
 *
 * @param trustedProxies addresses or CIDR ranges (`server.trustedProxies`) @throws Error for one that is neither
 */
export const createClientFinder = (
  trustedProxies: readonly string[],
): ((peer: string | null, headers: Headers) => Client) => {
  const ranges = trustedProxies.map(parseRange);
  const isTrusted = (address: Address) => ranges.some((range) => matches(address, range));

  return (peer, headers) => {
    const direct = parse(peer);
    const unforwarded: Client = { address: direct?.toString() ?? "local", protocol: null, host: null };
    if (direct === null || !isTrusted(direct)) return unforwarded;
    const protocol = headers.get("x-forwarded-proto")?.split(",", 1)[0]?.trim().toLowerCase();
    return {
      address: nearestUntrusted(direct, headers.get("x-forwarded-for") ?? "", isTrusted).toString(),
      protocol: protocol === "http" || protocol === "https" ? protocol : null,
      host: hostOrNull(headers.get("x-forwarded-host")?.split(",", 1)[0]?.trim() ?? null),
    };
  };
};

const nearestUntrusted = (direct: Address, forwardedFor: string, isTrusted: (address: Address) => boolean): Address => {
  let nearest = direct;
  for (const hop of forwardedFor.split(",").slice(-50).reverse()) {
    const address = parse(hop.trim());
    if (address === null) break;
    nearest = address;
    if (!isTrusted(address)) break;
  }
  return nearest;
};

/** An IPv4 address written as IPv6 (`::ffff:…`) is returned as IPv4. */
const parse = (text: string | null): Address | null => {
  return text !== null && ipaddr.isValid(text) ? ipaddr.process(text) : null;
};

const parseRange = (text: string): [Address, number] => {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) throw new Error(`server.trustedProxies: ${text} is neither an address nor a CIDR range`);
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
};

const matches = (address: Address, [network, bits]: [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** A `Host` value that may be shown in an address: name, IPv4 or `[IPv6]`, with or without port. */
const hostOrNull = (host: string | null): string | null =>
  host !== null && /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/.test(host) ? host : null;

/**
 * Address under which clients reach this server, without a slash at its end: `server.baseUrl`, else what a trusted
 * proxy or the Host header says, else where it listens.
 */
export const baseUrlOf = (
  server: Pick<Config["server"], "baseUrl" | "host" | "port" | "tls">,
  client: Client,
  hostHeader: string | null,
): string => {
  if (server.baseUrl !== null) return server.baseUrl.replace(/\/+$/, "");
  const host = client.host ?? hostOrNull(hostHeader) ?? `${server.host}:${server.port}`;
  return `${client.protocol ?? (server.tls.certificate === null ? "http" : "https")}://${host}`;
};
