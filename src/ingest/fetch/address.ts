import ipaddr from "ipaddr.js";

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
