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
