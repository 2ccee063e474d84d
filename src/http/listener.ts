import type { RequestHandler } from "./handler.ts";
import { maxStalledMs } from "./until-sent.ts";

/**
 * Seconds of silence after which a connection whose request is not being answered is closed. Heads have 10 s, whatever is
 * set here; bodies and answers have limits of ours (`bodyPace`, `maxStalledMs`).
 */
const idleTimeout = 30;
/** The kit refuses long bodies, with a problem document: the listener's own refusal has no body. */
const maxRequestBodySize = Number.MAX_SAFE_INTEGER;

/** Options of `Bun.serve` for the public listener; `hostname` and `port` are the caller's. */
export const listenerOptions = (handle: RequestHandler) => ({
  idleTimeout,
  maxRequestBodySize,
  development: false as const,
  fetch: (request: Request, server: Bun.Server<undefined>): Promise<Response> =>
    handle(request, {
      peer: server.requestIP(request)?.address ?? null,
      operator: null,
      keepOpen: () => server.timeout(request, 0),
      letGo: (isLong) => server.timeout(request, isLong ? maxStalledMs / 1_000 : idleTimeout),
    }),
});
