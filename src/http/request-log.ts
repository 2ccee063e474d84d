import type { OpenSpan } from "../tracing/tracer.ts";
import type { Frame, HttpDependencies } from "./frame.ts";

/** Status in the log and the metrics of a request whose client went away: it is not answered, and no server fault. */
export const clientWentAway = 499;

export const isHealthPath = (path: string): boolean => /^\/health\/(?:live|ready)\/?$/.test(path);

/** Asked for again and again by machines, who need no log line for each. */
export const isProbe = (path: string): boolean => isHealthPath(path) || path === "/metrics";

/** Notes on its span what a request was. */
export const noteRequest = (span: OpenSpan, request: Request, frame: Frame, status: number): void => {
  const route = frame.endpoint?.path;
  if (route !== undefined) span.rename(`${request.method} ${route}`);
  span.note({
    "http.request.method": request.method,
    "http.response.status_code": status,
    "carrel.request.id": frame.requestId,
    ...(route === undefined ? {} : { "http.route": route }),
  });
};

/** Counts a request once, when the head of its answer is ready, and logs it where the log takes a line for it. */
export const recordRequest = (
  request: Request,
  frame: Frame,
  status: number,
  { log, metrics }: Pick<HttpDependencies, "log" | "metrics">,
): void => {
  const elapsedMs = performance.now() - frame.startedAt;
  metrics.countRequest(request.method, frame.endpoint?.path ?? null, status, elapsedMs / 1000);
  const isAsked = isProbe(frame.path);
  if (!isAsked && !frame.isLogged()) return;
  const fields = {
    requestId: frame.requestId,
    method: request.method,
    path: frame.path,
    status,
    elapsedMs: Math.round(elapsedMs * 10) / 10,
    client: frame.clientAddress,
    ...(frame.principal?.keyId ? { keyId: frame.principal.keyId } : {}),
  };
  if (isAsked) log.debug(fields, "request");
  else log.info(fields, "request");
};
