/** `http://host:port` as a browser can open it: a host that means all interfaces becomes `localhost`. */
export const listenerAddress = (host: string, port: number): string => `http://${shownHost(host)}:${port}`;

const shownHost = (host: string): string => {
  if (["0.0.0.0", "::", "[::]"].includes(host)) return "localhost";
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
};
