import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { loadConfig } from "../../config/load.ts";
import type { Config } from "../../config/schema.ts";
import { CommandFailure, codeOf, messageOf } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";
import { listenerAddress } from "../program/listen.ts";
import { fetchFromSocket } from "../runtime/operator-socket.ts";
import type { OutputOptions } from "./output/output.ts";

/** What a server said of itself. */
interface Health {
  /** `ready` is healthy; `unreachable`: nobody answered. */
  status: string;
  /** Why it is not ready, or cannot be reached. */
  problems: string[];
  /** Who was asked: `carrel.sock` or an address; null where there is nobody to ask. */
  asked: string | null;
}

/** The time limit of Docker's and Kubernetes' probes is usually longer. */
const answerWithinMs = 3_000;

/** More than `/health/ready` ever answers: another program may listen on that port. */
const maxAnswerCharacters = 65_536;

/**
 * `carrel health`: asks the server of the same settings whether it is ready, by its socket or else its address. Opens no
 * store and starts nothing. Fails where the server is not ready.
 */
export const health = async (options: OutputOptions, { env, cwd, write, stop }: Environment): Promise<void> => {
  const { config } = await loadConfig({ file: options.config, env, cwd });
  const found = await askHealth(config, AbortSignal.any([stop, AbortSignal.timeout(answerWithinMs)]));
  stop.throwIfAborted();
  if (options.json === true) write(`${JSON.stringify(found)}\n`);
  const { status, problems, asked } = found;
  if (status !== "ready") {
    const who = asked === null ? "" : ` (${asked})`;
    throw new CommandFailure(`The server is ${status}${who}${problems.length > 0 ? `: ${problems.join(", ")}` : ""}.`);
  }
  if (options.json !== true) write(`The server is ready (${asked}).\n`);
};

const askHealth = async (config: Config, signal: AbortSignal): Promise<Health> => {
  const path = "/health/ready";
  let asked = "carrel.sock";
  try {
    // The socket belongs to one data directory; another program may listen at the address.
    const response = await fetchFromSocket(config.dataDir, path, { signal });
    if (response !== null) return healthIn(asked, await response.text());
    if (config.server.port === 0)
      return unreachable(null, `no server runs on ${config.dataDir}, and server.port is 0: its address is not known`);
    const address = addressOf(config.server);
    asked = address.origin;
    return healthIn(asked, await get(new URL(path, address), signal));
  } catch (error) {
    if (signal.aborted) return unreachable(asked, `no answer within ${answerWithinMs / 1000} s`);
    const code = codeOf(error);
    return unreachable(
      asked,
      code === "ECONNREFUSED" ? "connection refused: it does not run" : (code ?? messageOf(error)),
    );
  }
};

const unreachable = (asked: string | null, problem: string): Health => ({
  status: "unreachable",
  problems: [problem],
  asked,
});

const loopbackOf: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1", "[::]": "::1" };

/** Where a process of the same machine reaches the listener: all interfaces include loopback. */
const addressOf = (server: Config["server"]): URL =>
  new URL(listenerAddress({ ...server, host: loopbackOf[server.host] ?? server.host }));

const healthIn = (asked: string, body: string): Health => {
  try {
    const { status, problems } = JSON.parse(body) as { status?: unknown; problems?: unknown };
    if (typeof status === "string" && Array.isArray(problems)) return { status, problems: problems.map(String), asked };
  } catch {
    // Not Carrel.
  }
  return unreachable(asked, "another program answers there");
};

/**
 * The body of an answer with any status. Whatever certificate the listener has is taken: it is that of a public name,
 * and the answer holds no secret. Bun's `fetch` would go through the proxy of `HTTP_PROXY`.
 */
const get = (url: URL, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const isSecure = url.protocol === "https:";
    const options = { signal, agent: false, ...(isSecure ? { rejectUnauthorized: false } : {}) } as const;
    const sent = (isSecure ? requestSecure : requestPlain)(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
        if (text.length > maxAnswerCharacters) sent.destroy(new Error("another program answers there"));
      });
      response.on("end", () => resolve(text));
      response.on("error", reject);
    });
    sent.on("error", reject);
    // A signal that fired cannot be left to the library alone: a connection that hangs may not notice.
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    sent.end();
  });
