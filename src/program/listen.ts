import { lookup } from "node:dns/promises";
import type { Config } from "../../config/schema.ts";
import { CommandFailure, codeOf, messageOf } from "../domain/errors.ts";
import type { RequestHandler } from "../http/handler.ts";
import { maxStalledMs } from "../http/respond.ts";
import type { Certificate } from "../system/read-certificate.ts";

/**
 * `http://host:port` (`https` with TLS) as a browser can open it: a host that means all interfaces becomes `localhost`.
 * @param port where it is bound, if that is another one than configured
 */
export const listenerAddress = (
  { host, port: configured, tls }: Pick<Config["server"], "host" | "port" | "tls">,
  port = configured,
): string => `${tls.certificate === null ? "http" : "https"}://${shownHost(host)}:${port}`;

const shownHost = (host: string): string => {
  if (["0.0.0.0", "::", "[::]"].includes(host)) return "localhost";
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
};

/** The public listener. */
export interface Listener {
  readonly port: number;
  /**
   * Listens with another certificate. Requests that are being answered are finished; idle connections are closed, as at
   * the end of their idle time.
   */
  renew(certificate: Certificate): Promise<void>;
  /** Stops listening and cuts off what is left. */
  close(): Promise<void>;
}

/**
 * Seconds of silence after which a connection whose request is not being answered is closed. Heads have 10 s, whatever is
 * set here; bodies and answers have limits of ours (`bodyPace`, `maxStalledMs`).
 */
const idleTimeout = 30;
/** Long bodies are refused with a problem document (`src/http/body`): the refusal of `Bun.serve` has no body. */
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

/** How long the port may be missing while the listener changes. */
const maxGapMs = 5_000;
const retryMs = 20;

/**
 * Listens where the configuration says.
 * @param certificate null: without TLS
 * @throws CommandFailure that names the setting to change
 */
export const listen = async (
  { host, port }: Pick<Config["server"], "host" | "port">,
  certificate: Certificate | null,
  handle: RequestHandler,
): Promise<Listener> => {
  const serve = (at: number, using: Certificate | null): Bun.Server<undefined> =>
    Bun.serve({
      hostname: host,
      port: at,
      ...listenerOptions(handle),
      // Outside of development Bun shares a port that another program has, and requests would go to either.
      reusePort: false,
      ...(using === null ? {} : { tls: { cert: using.certificate, key: using.key } }),
    });

  /** `Bun.serve` cannot change the certificate of a listener (its `reload` ignores `tls`): a new one takes the port. */
  const takeOver = async (at: number, using: Certificate): Promise<Bun.Server<undefined>> => {
    const giveUpAt = performance.now() + maxGapMs;
    for (;;) {
      try {
        return serve(at, using);
      } catch (error) {
        if (performance.now() > giveUpAt) throw error;
        await Bun.sleep(retryMs);
      }
    }
  };

  let server = await firstServer(() => serve(port, certificate), host, port);
  let inUse = certificate;
  /** Former listeners with requests that are being answered. */
  const former = new Set<Bun.Server<undefined>>();
  let changing: Promise<void> = Promise.resolve();
  let isClosed = false;
  const bound = server.port ?? port;

  const change = async (next: Certificate): Promise<void> => {
    if (isClosed) return;
    const last = server;
    former.add(last);
    void last.stop(false).finally(() => former.delete(last));
    try {
      server = await takeOver(bound, next);
      inUse = next;
    } catch (error) {
      if (inUse !== null) server = await takeOver(bound, inUse);
      throw error;
    }
    if (isClosed) await server.stop(true);
  };

  return {
    port: bound,
    renew(next) {
      const changed = changing.then(() => change(next));
      changing = changed.catch(() => undefined);
      return changed;
    },
    async close() {
      isClosed = true;
      await Promise.all([server, ...former].map((each) => each.stop(true)));
    },
  };
};

const firstServer = async (
  serve: () => Bun.Server<undefined>,
  host: string,
  port: number,
): Promise<Bun.Server<undefined>> => {
  try {
    return serve();
  } catch (error) {
    // For an unknown host name Bun reports whatever the system's last error was.
    const isKnown = await lookup(host.replace(/^\[|\]$/g, "")).then(
      () => true,
      () => false,
    );
    if (!isKnown) throw new CommandFailure(`There is no host ${host}: set server.host to an address of this machine.`);
    throw new CommandFailure(listenFailure(error, host, port));
  }
};

const listenFailure = (error: unknown, host: string, port: number): string => {
  const code = codeOf(error);
  if (code === "EADDRINUSE")
    return `Port ${port} of ${host} is taken by another program: set server.port (CARREL_SERVER_PORT) to a free one.`;
  if (code === "EACCES")
    return `This user may not listen on port ${port}: set server.port (CARREL_SERVER_PORT) to one from 1024 up.`;
  return `Cannot listen on ${host}, port ${port} (${messageOf(error)}): check server.host and server.port.`;
};
