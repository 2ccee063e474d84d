import type { TSchema } from "@sinclair/typebox";
import type { Elysia } from "elysia";
import { recordChange } from "../access/record-change.ts";
import type { AuditedChange } from "../domain/audit.ts";
import { authorize, authorizeSession } from "./access.ts";
import { arrivingBody, bodyPace } from "./body/arriving-body.ts";
import { coerceText, parseForm } from "./body/parse-body.ts";
import { type ReceivedBody, readBody, refuseCompressed } from "./body/read-body.ts";
import { type Endpoint, maxBodyBytesOf } from "./endpoint.ts";
import { smallerAnswer } from "./fixed-content.ts";
import { type Frame, failureOf, frameOf, type HttpDependencies } from "./frame.ts";
import { pathsOf, routeOptions } from "./path-lookup.ts";
import { problemResponse } from "./problem.ts";
import { heldBytesOf, isWhole, jsonResponse } from "./respond.ts";
import { ownScope } from "./schema/fields.ts";
import { createValidator } from "./schema/validate.ts";

/**
 * Puts the operations on the router. Each request takes the same steps: authorization (401 and 403 before anything
 * else), the caller's rate, path, `admit`, query, body, validation, handler. A failure anywhere becomes its problem document.
 */
export const mountEndpoints = (app: Elysia, endpoints: readonly Endpoint[], deps: HttpDependencies): void => {
  for (const endpoint of endpoints) {
    const run = createRun(endpoint, deps);
    const answer = async ({ request, params }: { request: Request; params?: Record<string, unknown> }) => {
      const frame = frameOf(request);
      frame.endpoint = endpoint;
      try {
        return await run(request, frame, params ?? {});
      } catch (error) {
        return problemResponse(failureOf(error, request, frame, deps), frame.requestId, frame, frame.principal);
      }
    };
    for (const path of pathsOf(endpoint)) {
      app.route(endpoint.method, path, answer, routeOptions);
      // The router's own HEAD reads the whole answer first, which an endless stream does not have.
      if (endpoint.method === "GET") app.route("HEAD", path, answer, routeOptions);
    }
  }
};

type Run = (request: Request, frame: Frame, params: Record<string, unknown>) => Promise<Response>;

const createRun = (endpoint: Endpoint, deps: HttpDependencies): Run => {
  const { config, store, rates } = deps;
  const validateParams = validatorOf(endpoint.params);
  const validateQuery = validatorOf(endpoint.query);
  const validateBody = validatorOf(endpoint.body);
  const bodyOptions = {
    maxDocumentBytes: config.ingest.maxDocumentBytes,
    blobs: endpoint.acceptsFile ? store.blobs : null,
  };

  return async (request, frame, rawParams) => {
    const sent = { headers: request.headers, path: frame.path };
    const isPublic = async (): Promise<boolean> =>
      (await endpoint.isPublic?.(validateParams(decodedParams(rawParams)))) ?? true;
    const principal =
      authorize(endpoint, sent, store, frame.operator) ?? (await authorizeSession(endpoint, sent, store, isPublic));
    frame.principal = principal;
    if (principal !== null) {
      const { headers, refusal } = await rates.admit(principal);
      frame.rateHeaders = headers;
      if (refusal !== null) throw refusal;
    }
    const params = validateParams(decodedParams(rawParams));
    const { baseUrl, clientAddress } = frame;
    await endpoint.admit?.({ params, principal, request, baseUrl, clientAddress });
    const query = validateQuery(
      endpoint.query
        ? ownScope(endpoint.query, principal, coerceText(endpoint.query, parseForm(frame.search, "invalid_request")))
        : {},
    );
    const pace = frame.operator === null ? bodyPace : null;
    const call = {
      params,
      query,
      principal,
      request,
      arriving: arrivingBody(request.body, pace),
      requestId: frame.requestId,
      signal: frame.signal,
      clientAddress,
      baseUrl,
      held: frame.held,
      audited: <T>(change: AuditedChange, work: () => Promise<T>): Promise<T> => {
        if (principal === null) throw new Error("a change without a caller cannot be audited");
        const { clientAddress: address, requestId } = frame;
        return recordChange(deps, { principal, address, requestId }, change, work);
      },
    };
    if (endpoint.rawBody) refuseCompressed(request);
    // From here on the body's pace applies, then the operation's own limits.
    frame.keepOpen();
    const maxBodyBytes = maxBodyBytesOf(endpoint, principal, config.server.maxBodyBytes);
    const { value, file } = endpoint.body
      ? await readBody(request, endpoint.body, { ...bodyOptions, maxBodyBytes, pace, held: frame.held })
      : noBody;
    const bodyBytes = frame.held.bytes;
    try {
      const body = validateBody(endpoint.body ? ownScope(endpoint.body, principal, value) : value);
      const answer = await endpoint.handle({ ...call, body, file });
      const response = answer instanceof Response ? answer : await jsonResponse(answer);
      // Only the answer is held from here on; a streamed one still needs the texts it is made of.
      frame.held.drop(isStreamed(response) ? bodyBytes : frame.held.bytes);
      // A read can be refused and repeated; an operation that changed something must be answered.
      if (endpoint.method === "GET") frame.held.add(heldBytesOf(response));
      else frame.held.note(heldBytesOf(response));
      return await smallerAnswer(response, endpoint, request);
    } finally {
      await file?.settle();
    }
  };
};

const isStreamed = (response: Response): boolean => !isWhole(response) && heldBytesOf(response) === 0;

const noBody: ReceivedBody = { value: {}, file: null };

const validatorOf = (schema: TSchema | undefined): ((value: unknown) => unknown) =>
  schema === undefined ? () => ({}) : createValidator(schema);

/**
 * The router gives null for a part with invalid `%` sequences: no record has such an id. What a path's `*` stands for, which
 * it does not decode, is an id too.
 */
const decodedParams = (params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) =>
      name === "*" ? ["id", decoded(String(value))] : [name, value ?? "%"],
    ),
  );

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return "%";
  }
};
