import { Elysia } from "elysia";
import { ApiError } from "../domain/errors.ts";
import { pathPrefixOf } from "../domain/web-address.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Frame, failureOf, frameOf, type HttpDependencies, isHealthPath, stopping } from "./frame.ts";
import { htmlPage } from "./html-page.ts";
import { mountEndpoints } from "./mount.ts";
import { createPathLookup, pathsOf, type Routed, routeOptions } from "./path-lookup.ts";
import { isOpenAiPath, problemResponse } from "./problem.ts";
import { htmlResponse } from "./respond.ts";
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
    if (code !== "NOT_FOUND") return failed(error, request, frame);
    const candidates = endpointsAt(frame.path);
    return candidates.length === 0 && isForPeople(request, frame)
      ? notFoundPage(frame)
      : failed(notRouted(candidates), request, frame);
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

/** Whether somebody typed the address into a browser: programs ask for JSON or anything, or below `/api` or `/v1`. */
const isForPeople = ({ headers }: Request, { path }: Frame): boolean =>
  headers.get("accept")?.includes("text/html") === true && !path.startsWith("/api/") && !isOpenAiPath(path);

const notFoundPage = ({ baseUrl }: Frame): Response => {
  const prefix = pathPrefixOf(baseUrl);
  const body = `<h1>Nothing is here</h1>
<p>There is no page at this address. <a href="${prefix}/">To the start</a>, or to the <a href="${prefix}/docs">guides</a>.</p>`;
  return htmlResponse(htmlPage("Not found", body), { status: 404 });
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
