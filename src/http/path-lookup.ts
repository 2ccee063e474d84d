import type { Endpoint } from "./endpoint.ts";

/** What is to be known of a route without calling it. */
export type Routed = Pick<Endpoint, "method" | "path" | "aliases" | "access">;

/** Every path of an operation. */
export const pathsOf = (endpoint: Routed): string[] => [endpoint.path, ...(endpoint.aliases ?? [])];

/**
 * Which operations a path has, whatever the method: for `405` with `Allow` and for `OPTIONS`, which the router cannot
 * tell. A slash at the end does not matter.
 */
export function createPathLookup(endpoints: readonly Routed[]): (path: string) => Routed[] {
  const patterns = endpoints.flatMap((endpoint) =>
    pathsOf(endpoint).map((path) => ({ endpoint, pattern: patternOf(path) })),
  );
  return (path) => patterns.filter(({ pattern }) => pattern.test(path)).map(({ endpoint }) => endpoint);
}

function patternOf(path: string): RegExp {
  const parts = path.split("/").filter((part) => part !== "");
  const body = parts.map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return body.length === 0 ? /^\/$/ : new RegExp(`^/${body.join("/")}/?$`);
}
