import { Elysia } from "elysia";
import { ApiError } from "../domain/errors.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Frame, failureOf, frameOf, type HttpDependencies, isHealthPath, stopping } from "./frame.ts";
import { mountEndpoints } from "./mount.ts";
import { createPathLookup, pathsOf, type Routed, routeOptions } from "./path-lookup.ts";
import { problemResponse } from "./problem.ts";
import { answerOptions, methodsOf } from "./shared-headers.ts";
import { askedVersion, isAnsweredByReader } from "./shared-role.ts";

/** Routes that are put on the router beside the operations. */
export interface Extension {
  /** Those of GET. */
  paths: readonly string[];
  /** Those of POST. */
  posts?: readonly string[];
  /** See `Endpoint`. */
  ofWriter?: true;
  mount(app: Elysia): void;
}

/** Answers a request whose frame is set; never rejects. */
type Router = (request: Request, frame: Frame) => Promise<Response>;

/**
 * The operations on Elysia's router, with what it lacks: `405` and `OPTIONS` with `Allow`, failures as problem
 * documents, and refusal while the server drains.
 */
export const createRouter = (
  endpoints: readonly Endpoint[],
  deps: HttpDependencies,
  extensions: readonly Extension[],
): Router => {
  // With standard hostnames alone, some routes are not found for a host without a dot, as in a home network.
  const app = new Elysia({ handler: { standardHostname: false } });
  const endpointsAt = createPathLookup([
    ...endpoints,
    ...extensions.flatMap(({ paths, posts = [], ofWriter }) => [
      ...paths.map((path) => ({
        method: "GET" as const,
        path,
        access: "open" as const,
        ...(ofWriter === undefined ? {} : { ofWriter }),
      })),
      ...posts.map((path) => ({ method: "POST" as const, path, access: "open" as const })),
    ]),
  ]);
  const failed = (error: unknown, request: Request, frame: Frame): Response =>
    problemResponse(failureOf(error, request, frame, deps), frame.requestId, frame, frame.principal);

  app.onError(({ code, error, request }) => {
    const frame = frameOf(request);
    return failed(code === "NOT_FOUND" ? notRouted(endpointsAt(frame.path)) : error, request, frame);
  });
  mountEndpoints(app, endpoints, deps);
  refuseShadowed(app, endpoints);
  for (const extension of extensions) extension.mount(app);

  return async (request, frame) => {
    if (deps.lifecycle.state === "draining" && !isHealthPath(frame.path)) {
      return problemResponse(stopping(), frame.requestId, frame);
    }
    if (request.method === "OPTIONS") {
      const candidates = endpointsAt(frame.path);
      const wanted = request.headers.get("access-control-request-method");
      frame.endpoint = candidates.find(({ method }) => method === wanted) ?? candidates[0] ?? null;
      if (frame.endpoint !== null) return answerOptions(candidates, request.headers);
    }
    try {
      const { shared } = deps;
      const asked = askedVersion(request.headers);
      if (shared !== undefined && asked > shared.version() && !(await shared.reached(asked, frame.signal)))
        throw new ApiError("storage_unavailable", "What was stored by that version is not here yet: try again.", {
          headers: { "Retry-After": "1" },
        });
      if (shared?.sendOn && !isAnsweredByReader(request.method, endpointsAt(frame.path)))
        return await shared.sendOn(request, frame);
      return await app.fetch(request);
    } catch (error) {
      return failed(error, request, frame);
    }
  };
};

/** The error where no operation answers: the path has none, or none for the method. */
const notRouted = (candidates: readonly Routed[]): ApiError => {
  if (candidates.length === 0)
    return new ApiError("route_not_found", "No operation has this path. /docs lists every path.");
  const allow = methodsOf(candidates);
  return new ApiError("method_not_allowed", `This path supports ${allow}.`, { headers: { allow } });
};

/**
 * Refuses methods that a fixed path lacks but that a path with a parameter in its place has: without this,
 * `PUT /api/partition/search` would go to `PUT /api/partition/:id`.
 */
const refuseShadowed = (app: Elysia, endpoints: readonly Routed[]): void => {
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
