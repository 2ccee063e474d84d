/** `http://host:port` that can be clicked on: a host that stands for all interfaces is this machine's own. */
export const listenerAddress = (host: string, port: number): string => `http://${shownHost(host)}:${port}`;

const shownHost = (host: string): string => {
  if (["0.0.0.0", "::", "[::]"].includes(host)) return "localhost";
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
};
