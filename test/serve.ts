import { atEnd } from "./at-end.ts";

type Answering = (request: Request) => Response | Promise<Response>;

/** A server of the test's own on a free port of the loopback address; it is stopped with the test. */
export const serve = (fetch: Answering) => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch });
  return { url: `http://127.0.0.1:${server.port}`, port: server.port ?? 0, stop: atEnd(() => server.stop(true)) };
};
