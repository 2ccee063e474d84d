import type { HttpDependencies } from "./dependencies.ts";
import type { Frame } from "./frame.ts";

/** Status in the log and the metrics of a request whose client went away: it is not answered, and no server fault. */
export const clientWentAway = 499;

export const isHealthPath = (path: string): boolean => /^\/health\/(?:live|ready)\/?$/.test(path);

/** Logs and counts a request once, when the head of its answer is ready. */
export const recordRequest = (
  request: Request,
  frame: Frame,
  status: number,
  { log, metrics }: Pick<HttpDependencies, "log" | "metrics">,
): void => {
  const elapsedMs = performance.now() - frame.startedAt;
  metrics.countRequest(request.method, frame.endpoint?.path ?? null, status, elapsedMs / 1000);
  const fields = {
    requestId: frame.requestId,
    method: request.method,
    path: frame.path,
    status,
    elapsedMs: Math.round(elapsedMs * 10) / 10,
    client: frame.clientAddress,
    ...(frame.principal?.keyId ? { keyId: frame.principal.keyId } : {}),
  };
  if (isHealthPath(frame.path) || frame.path === "/metrics") log.debug(fields, "request");
  else log.info(fields, "request");
};
