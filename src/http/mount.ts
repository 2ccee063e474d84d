import type { TSchema } from "@sinclair/typebox";
import type { Elysia } from "elysia";
import type { HttpDependencies } from "../dependencies.ts";
import { authorize } from "./access.ts";
import { type ReceivedBody, readBody, refuseCompressed } from "./body.ts";
import { coerceText } from "./coerce.ts";
import type { Endpoint } from "./endpoint.ts";
import { parseForm } from "./form-body.ts";
import { type Frame, frameOf } from "./frame.ts";
import { pathsOf } from "./path-lookup.ts";
import { problemResponse } from "./problem.ts";
import { failureOf } from "./request-failure.ts";
import { jsonResponse } from "./respond.ts";
import { createValidator } from "./validate.ts";

/**
 * Puts the operations on the router. Each request then goes the same way: who calls (401 and 403 before anything
 * else), path, `admit`, query, body, validation, handler. A failure anywhere becomes its problem document.
 */
export function mountEndpoints(app: Elysia, endpoints: readonly Endpoint[], deps: HttpDependencies): void {
  for (const endpoint of endpoints) {
    const run = createRun(endpoint, deps);
    const answer = async ({ request, params }: { request: Request; params?: Record<string, unknown> }) => {
      const frame = frameOf(request);
      frame.endpoint = endpoint;
      try {
        return await run(request, frame, params ?? {});
      } catch (error) {
        return problemResponse(failureOf(error, request, frame, deps), frame.requestId, frame.path);
      }
    };
    for (const path of pathsOf(endpoint)) {
      // The OpenAPI document is made from the declarations (openapi-document.ts), not from the router.
      app.route(endpoint.method, path, answer, { config: {}, parse: "none", detail: { hide: true } });
      // The router's own HEAD reads the whole answer first, which an endless stream does not have.
      if (endpoint.method === "GET")
        app.route("HEAD", path, answer, { config: {}, parse: "none", detail: { hide: true } });
    }
  }
}

type Run = (request: Request, frame: Frame, params: Record<string, unknown>) => Promise<Response>;

function createRun(endpoint: Endpoint, deps: HttpDependencies): Run {
  const { config, store } = deps;
  const validateParams = validatorOf(endpoint.params);
  const validateQuery = validatorOf(endpoint.query);
  const validateBody = validatorOf(endpoint.body);
  const bodyOptions = {
    maxBodyBytes: Math.min(config.server.maxBodyBytes, endpoint.maxBodyBytes ?? Number.POSITIVE_INFINITY),
    maxDocumentBytes: config.ingest.maxDocumentBytes,
    blobs: endpoint.acceptsFile ? store.blobs : null,
  };

  return async (request, frame, rawParams) => {
    const principal = authorize(endpoint.access, request.headers.get("authorization"), store.keys, frame.operator);
    frame.principal = principal;
    const params = validateParams(decodedParams(rawParams));
    await endpoint.admit?.({ params, principal, request, baseUrl: frame.baseUrl });
    const query = validateQuery(
      endpoint.query ? coerceText(endpoint.query, parseForm(frame.search, "invalid_request")) : {},
    );
    const call = {
      params,
      query,
      principal,
      request,
      requestId: frame.requestId,
      signal: frame.signal,
      clientAddress: frame.clientAddress,
      baseUrl: frame.baseUrl,
    };
    if (endpoint.rawBody) refuseCompressed(request);
    const { value, file } = endpoint.body ? await readBody(request, endpoint.body, bodyOptions) : noBody;
    try {
      const body = validateBody(value);
      frame.keepOpen();
      const answer = await endpoint.handle({ ...call, body, file });
      return answer instanceof Response ? answer : jsonResponse(answer);
    } finally {
      await file?.settle();
    }
  };
}

const noBody: ReceivedBody = { value: {}, file: null };

const validatorOf = (schema: TSchema | undefined): ((value: unknown) => unknown) =>
  schema === undefined ? () => ({}) : createValidator(schema);

/** The router gives null for a part whose `%` sequences cannot be decoded: no record has such an id. */
const decodedParams = (params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value ?? "%"]));
