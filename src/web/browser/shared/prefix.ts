/**
 * Path that this server is reached under: `/carrel` behind `https://host/carrel`, empty at the root of a host. The page's
 * script is at `<prefix>/pages/`; in a test it is a file.
 */
export const prefix = ((place: URL) => (place.protocol === "file:" ? "" : place.pathname.replace(/\/$/, "")))(
  new URL("..", import.meta.url),
);

/** Where a path of this server is, such as `/api/query`. A path that has the prefix already is left as it is. */
export const at = (path: string): string =>
  prefix === "" || path === prefix || path.startsWith(`${prefix}/`) ? path : prefix + path;

/** The address of this server as the browser reaches it, without a slash at its end. */
export const serverAddress = (): string => location.origin + prefix;
