import type { Elysia } from "elysia";
import { ApiError } from "../domain/errors.ts";
import { methodsOf } from "./cors.ts";
import { createPathLookup, pathsOf, type Routed } from "./path-lookup.ts";

/** Why no operation answers: there is none at the path, or none for the method. */
export const notRouted = (there: readonly Routed[]): ApiError => {
  if (there.length === 0)
    return new ApiError("route_not_found", "There is nothing at this path. /docs lists every path.");
  const allow = methodsOf(there);
  return new ApiError("method_not_allowed", `This path takes ${allow}.`, { headers: { allow } });
};

/**
 * Refuses methods that a path does not have but a path with a parameter in its place has: without this,
 * `PUT /api/partition/search` would go to `PUT /api/partition/:id`.
 */
export const refuseShadowed = (app: Elysia, endpoints: readonly Routed[]): void => {
  const endpointsAt = createPathLookup(endpoints);
  const methods = new Set(endpoints.map(({ method }) => method));
  const paths = new Set(endpoints.flatMap(pathsOf).filter((path) => !path.includes(":")));
  for (const path of paths) {
    const there = endpointsAt(path);
    const refuse = () => {
      throw notRouted(there);
    };
    for (const method of methods) {
      if (there.every((endpoint) => endpoint.method !== method))
        app.route(method, path, refuse, { config: {}, parse: "none", detail: { hide: true } });
    }
  }
};
