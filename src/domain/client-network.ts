import ipaddr from "ipaddr.js";

/** What limits count a client by: its IPv4 address, or the /64 that one IPv6 subscriber has at least. */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : parsed
        .toByteArray()
        .slice(0, 8)
        .map((byte) => byte.toString(16).padStart(2, "0"))
        .join("");
};
