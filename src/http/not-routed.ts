import type { Elysia } from "elysia";
import { ApiError } from "../domain/errors.ts";
import { methodsOf } from "./cors.ts";
import { createPathLookup, pathsOf, type Routed, routeOptions } from "./path-lookup.ts";

/** The error where no operation answers: the path has none, or none for the method. */
export const notRouted = (candidates: readonly Routed[]): ApiError => {
  if (candidates.length === 0)
    return new ApiError("route_not_found", "No operation has this path. /docs lists every path.");
  const allow = methodsOf(candidates);
  return new ApiError("method_not_allowed", `This path supports ${allow}.`, { headers: { allow } });
};

/**
 * Refuses methods that a fixed path lacks but that a path with a parameter in its place has: without this,
 * `PUT /api/partition/search` would go to `PUT /api/partition/:id`.
 */
export const refuseShadowed = (app: Elysia, endpoints: readonly Routed[]): void => {
  const endpointsAt = createPathLookup(endpoints);
  const methods = new Set(endpoints.map(({ method }) => method));
  const paths = new Set(endpoints.flatMap(pathsOf).filter((path) => !path.includes(":")));
  for (const path of paths) {
    const candidates = endpointsAt(path);
    const refuse = () => {
      throw notRouted(candidates);
    };
    for (const method of methods) {
      if (candidates.every((endpoint) => endpoint.method !== method)) app.route(method, path, refuse, routeOptions);
    }
  }
};
