import { loadConfig } from "../../../config/load.ts";
import type { Config } from "../../../config/schema.ts";
import { pause } from "../../async/waiting.ts";
import { CommandFailure, UsageFailure } from "../../domain/errors.ts";
import { defaultOrganization } from "../../domain/ids.ts";
import { createLogger } from "../../log/log.ts";
import type { Environment } from "../../program/environment.ts";
import { listenerAddress } from "../../program/listen.ts";
import { openProgram } from "../../program/open-program.ts";
import { createOperatorHandler, makeOrganizationHeader, organizationHeader } from "../../program/operator.ts";
import { fetchFromSocket, listenForOperator } from "../../runtime/operator-socket.ts";
import { DataDirInUseError } from "../../store/disk/lock.ts";

/** Calls the API with the operator's rights, whether a server runs on the data directory or not. */
export interface OperatorClient {
  /** @param path with its query, as in `/api/document?limit=1` */
  send(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface ClientOptions {
  config?: string;
  organization?: string;
  /** Address of a server elsewhere. */
  server?: string;
  json?: boolean;
}

/** Fires when the command is to stop, or when one request of it is. */
const eitherOf = (stop: AbortSignal, own: AbortSignal | null | undefined): AbortSignal =>
  own == null ? stop : AbortSignal.any([stop, own]);

/**
 * Connects to the server elsewhere that is named, else to the socket of the one that runs on the data directory. Where none
 * runs, this process opens the store itself, as the server would, and closes it with the client.
 * `makeOrganization`: if it does not exist. `isShared`: see `openInProcess`.
 */
export const openClient = async (
  options: ClientOptions,
  environment: Environment,
  { makeOrganization = false, isShared = false } = {},
): Promise<OperatorClient> => {
  if (options.server !== undefined) return openElsewhere(options.server, options, environment);
  const { config } = await loadConfig({ file: options.config, env: environment.env, cwd: environment.cwd });
  const headers = {
    ...(options.organization === undefined ? {} : { [organizationHeader]: encodeURIComponent(options.organization) }),
    ...(makeOrganization ? { [makeOrganizationHeader]: "true" } : {}),
  };
  const giveUpAt = performance.now() + (isShared ? sharedWithinMs : startedWithinMs);
  for (;;) {
    const client = await socketClient(config.dataDir, headers, environment.stop);
    if (client !== null) return client;
    try {
      return await openInProcess(config, headers, environment, { isShared });
    } catch (error) {
      const isHeld = error instanceof Error && error.cause instanceof DataDirInUseError;
      if (!isHeld || performance.now() > giveUpAt || environment.stop.aborted) throw error;
      await pause(openAgainMs, environment.stop);
    }
  }
};

/** A server that has the data directory and no socket yet is just starting: a command beside it waits for that. */
const startedWithinMs = 5_000;
/** Of several processes on one data directory one opens it; the others wait until they can go through that one. */
const sharedWithinMs = 30_000;
export const openAgainMs = 200;

/** Opens a client as `openClient` does, and closes it when the work is over. */
export const withClient = async <T>(
  options: ClientOptions,
  environment: Environment,
  work: (client: OperatorClient) => Promise<T>,
  how: Parameters<typeof openClient>[2] = {},
): Promise<T> => {
  const client = await openClient(options, environment, how);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};

type Headers = Record<string, string>;

/** Even a busy server answers within this time; one that hangs never does. */
const aliveWithinMs = 30_000;

const socketClient = async (dataDir: string, headers: Headers, stop: AbortSignal): Promise<OperatorClient | null> => {
  const late = AbortSignal.timeout(aliveWithinMs);
  const alive = await fetchFromSocket(dataDir, "/health/live", { signal: AbortSignal.any([late, stop]) }).catch(
    (error: unknown) => {
      if (!late.aborted) throw error;
      throw new CommandFailure(`The server that runs on ${dataDir} does not answer: look at its log, or restart it.`);
    },
  );
  if (alive === null) return null;
  return {
    async send(path, init = {}) {
      // Parsing a long document may take as long as the server allows: Bun's own limit of 5 minutes must not apply.
      const signal = eitherOf(stop, init.signal);
      const request = { ...init, headers: { ...(init.headers as Headers), ...headers }, signal, timeout: false };
      const response = await fetchFromSocket(dataDir, path, request).catch((error: unknown) => {
        throw signal.aborted ? error : new LostServer();
      });
      if (response === null) throw new LostServer();
      return untilLost(response, signal);
    },
    close: async () => {},
  };
};

/** Of a server that was killed, or that ended what it had not finished when it stopped. */
export class LostServer extends CommandFailure {
  constructor() {
    super("The server stopped meanwhile: look at its log, and run the command again.");
  }
}

/**
 * The answer; where the connection ends before it does, reading it fails with these words.
 * @param timer begins anew with each piece, and ends with the answer
 */
const untilLost = (response: Response, stop: AbortSignal, timer?: NodeJS.Timeout): Response => {
  const { body, status, headers } = response;
  if (body === null) {
    clearTimeout(timer);
    return response;
  }
  const pieces = async function* () {
    try {
      for await (const piece of body) {
        timer?.refresh();
        yield piece;
      }
    } catch (error) {
      throw stop.aborted ? error : new LostServer();
    } finally {
      clearTimeout(timer);
    }
  };
  return new Response(pieces() as unknown as ReadableStream<Uint8Array>, { status, headers });
};

/**
 * @param runtimeFolder where native parts are unpacked, see `openProgram`
 * @param isShared other commands on the data directory go through this process while it has it, as through a server
 */
export const openInProcess = async (
  config: Config,
  headers: Headers,
  { embedded, stop }: Environment,
  { runtimeFolder, isShared = false }: { runtimeFolder?: string; isShared?: boolean } = {},
): Promise<OperatorClient> => {
  process.umask(0o077);
  // A log line per request is for servers; warnings are for commands too.
  const level = config.log.level === "info" ? "warn" : config.log.level;
  const program = await openProgram({
    config,
    embedded,
    log: createLogger({ ...config.log, level }),
    ...(runtimeFolder === undefined ? {} : { runtimeFolder }),
  });
  program.deps.lifecycle.ready();
  const answer = createOperatorHandler(program.deps.store, program.handle, listenerAddress(config.server));
  const socket = isShared
    ? await listenForOperator(config.dataDir, answer).catch(async (error: unknown) => {
        await program.close();
        throw error;
      })
    : null;
  return {
    async send(path, init = {}) {
      // As over the socket: not every operation looks at the signal itself, and a command may send many.
      stop.throwIfAborted();
      return answer(
        new Request(`http://localhost${path}`, {
          ...init,
          headers: { ...(init.headers as Headers), ...headers },
          signal: eitherOf(stop, init.signal),
        }),
      );
    },
    async close() {
      if (socket !== null) await program.deps.lifecycle.drain(config.server.drainTimeoutMs);
      await socket?.close();
      await program.close();
    },
  };
};

/**
 * The JSON of an answer.
 * @throws CommandFailure with the problem's own words
 */
export const readAnswer = async <T>(response: Response): Promise<T> => {
  if (response.ok) return (await response.json()) as T;
  throw new CommandFailure(await problemOf(response));
};

export const jsonBody = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** The message of a failed answer. */
export const problemOf = async (response: Response): Promise<string> => {
  const body: unknown = await response.json().catch(() => null);
  const detail = typeof body === "object" && body !== null && "detail" in body ? body.detail : null;
  return typeof detail === "string" ? detail : `The server answered ${response.status}.`;
};

const serverAddress = /^https?:\/\/[^\s/?#][^\s?#]*$/i;

/** @throws UsageFailure where it is no address */
export const checkServerAddress = (server: string): void => {
  if (!serverAddress.test(server)) throw new UsageFailure("--server takes an address, such as https://carrel.example.");
};

/**
 * The server that `--server` names, with the key in `CARREL_KEY`: every user of the machine can read arguments.
 * @throws UsageFailure
 */
export const openElsewhere = (
  server: string,
  { organization = defaultOrganization }: Pick<ClientOptions, "organization">,
  { env, stop }: Pick<Environment, "env" | "stop">,
): OperatorClient => {
  checkServerAddress(server);
  if (organization !== defaultOrganization)
    throw new UsageFailure("--organization does not go with --server: the key is of one organization.");
  const key = env.CARREL_KEY?.trim() ?? "";
  if (key === "") throw new UsageFailure("--server needs a key: set the variable CARREL_KEY.");
  return createHttpClient(server, key, stop);
};

/** Longest wait for an answer, or for its next bytes: reading a long document, or a slow model. */
const timeoutMs = 600_000;

/**
 * The API of a server somewhere, with a key.
 * @param address such as http://127.0.0.1:7373
 */
export const createHttpClient = (address: string, key: string, stop: AbortSignal): OperatorClient => {
  const base = address.replace(/\/+$/, "");
  return {
    async send(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${key}`);
      const wanted = eitherOf(stop, init.signal);
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new DOMException("timed out", "TimeoutError")), timeoutMs);
      const signal = AbortSignal.any([wanted, late.signal]);
      try {
        // Turns off Bun's own limit of 5 minutes.
        const response = await fetch(`${base}${path}`, { ...init, headers, signal, timeout: false } as RequestInit);
        return untilLost(response, wanted, timer);
      } catch (error) {
        clearTimeout(timer);
        wanted.throwIfAborted();
        const { code, name } = error as { code?: string; name?: string };
        throw new CommandFailure(
          `${base} cannot be reached: it does not answer (${code ?? name ?? "unknown error"}). Check the address, and that it runs.`,
        );
      }
    },
    close: async () => {},
  };
};
