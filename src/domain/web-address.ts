import ipaddr from "ipaddr.js";

/**
 * Path that clients put before every path of this server: `/carrel` where its address is `https://host/carrel`, empty at
 * the root of a host. Everything that the server writes has it; requests come with it or without, as the proxy likes.
 *
 * @param baseUrl `server.baseUrl`, or the `baseUrl` of a request
 */
export const pathPrefixOf = (baseUrl: string | null): string =>
  baseUrl === null ? "" : new URL(baseUrl).pathname.replace(/\/$/, "");

/** The `Path` of a cookie: with a prefix, what else is on the host does not get it. */
export const cookiePath = (baseUrl: string): string => pathPrefixOf(baseUrl) || "/";

/** Whether a list of allowed web origins has this one; `*` allows any. */
export const isOriginAllowed = (origin: string, allowed: readonly string[]): boolean =>
  allowed.some((entry) => entry === "*" || entry.replace(/\/+$/, "").toLowerCase() === origin.toLowerCase());

/** The value of a cookie in a `Cookie` header; null if it is not there. */
export const cookieNamed = (header: string | null, wanted: string): string | null => {
  for (const pair of (header ?? "").split(";")) {
    const [name = "", value = ""] = pair.split("=", 2);
    if (name.trim() === wanted) return value.trim();
  }
  return null;
};

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

/** Whether a page may make a link or picture of it: no other scheme, such as `javascript:`. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^/\s]\S*$/i.test(text);
