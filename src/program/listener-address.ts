import type { Config } from "../../config/schema.ts";

/**
 * `http://host:port` (`https` with TLS) as a browser can open it: a host that means all interfaces becomes `localhost`.
 * @param port where it is bound, if that is another one than configured
 */
export const listenerAddress = (
  { host, port: configured, tls }: Pick<Config["server"], "host" | "port" | "tls">,
  port = configured,
): string => `${tls.certificate === null ? "http" : "https"}://${shownHost(host)}:${port}`;

const shownHost = (host: string): string => {
  if (["0.0.0.0", "::", "[::]"].includes(host)) return "localhost";
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
};
