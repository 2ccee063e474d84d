import type { Endpoint } from "./endpoint.ts";

/** What is known of a route without calling it. */
export type Routed = Pick<Endpoint, "method" | "path" | "aliases" | "access" | "onlyReads" | "ofWriter">;

/**
 * How routes are put on the router: bodies are read here, not there, and the OpenAPI document is made from the declarations
 * (docs/openapi-document.ts).
 */
export const routeOptions = { config: {}, parse: "none", detail: { hide: true } } as const;

/** Every path of an operation. */
export const pathsOf = (endpoint: Routed): string[] => [endpoint.path, ...(endpoint.aliases ?? [])];

/**
 * Finds the operations of a path, whatever the method: for `405` with `Allow` and for `OPTIONS`, which the router lacks.
 * A trailing slash does not matter. Of the patterns that match, the one with the fewest parameters counts, as on the
 * router: `/api/partition/search` is no partition.
 */
export const createPathLookup = (endpoints: readonly Routed[]): ((path: string) => Routed[]) => {
  const patterns = endpoints.flatMap((endpoint) =>
    pathsOf(endpoint).map((path) => ({
      endpoint,
      pattern: patternOf(path),
      parameters: path.split(/[:*]/).length - 1,
    })),
  );
  return (path) => {
    const fitting = patterns.filter(({ pattern }) => pattern.test(path));
    const fewest = Math.min(...fitting.map(({ parameters }) => parameters));
    return fitting.filter(({ parameters }) => parameters === fewest).map(({ endpoint }) => endpoint);
  };
};

const patternOf = (path: string): RegExp => {
  const parts = path.split("/").filter((part) => part !== "");
  // `*` at the end of a pattern stands for all that follows.
  const body = parts.map((part) =>
    part === "*" ? ".+" : part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
  );
  return body.length === 0 ? /^\/$/ : new RegExp(`^/${body.join("/")}/?$`);
};
