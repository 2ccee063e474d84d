import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { SettingSources } from "../../config/sources.ts";
import { createLogger, type Logger } from "../log.ts";
import { logModelCheck } from "../models/log-check.ts";
import type { OpenProgram } from "./assemble-program.ts";
import { configuredModels } from "./configured-models.ts";
import type { EmbeddedParts } from "./embedded-parts.ts";
import { ensureAdminKey } from "./first-start.ts";
import { listen } from "./listen.ts";
import { listenerAddress } from "./listener-address.ts";
import { openProgram } from "./open-program.ts";
import { configuredPrincipal, createOperatorHandler } from "./operator.ts";
import { listenForOperator, type OperatorSocket } from "./operator-socket.ts";
import type { Parts } from "./parts.ts";

export interface StartOptions {
  log?: Logger;
  embedded?: EmbeddedParts | null;
  /** Accepted from the first request on, in place of a generated key. */
  adminKey?: string | null;
  /** Where native parts are unpacked; `<dataDir>/runtime` where not given. */
  runtimeFolder?: string;
  parts?: Partial<Parts>;
  /** Where the settings were written. */
  settingSources?: SettingSources;
  /** See `ProgramOptions`. */
  eraseWithinMs?: number;
}

export interface RunningServer {
  /** `http://host:port`, without a slash at the end: where it listens, whatever `server.baseUrl` says. */
  url: string;
  port: number;
  /** The admin key that the first start generated; null on later starts and where one was given. */
  firstKey: string | null;
  program: OpenProgram;
  /**
   * Refuses new requests (503; `/health/ready` says so), lets the running ones finish within `server.drainTimeoutMs`,
   * ends the rest, leaves unfinished documents `pending`, closes the store. A second call waits for the first.
   */
  stop(): Promise<void>;
}

/**
 * Starts the server as `carrel serve` does: store, first key, listener, operator's socket, waiting documents.
 * @throws CommandFailure, or Error that names who holds the data directory
 */
export const startServer = async (config: Config, options: StartOptions = {}): Promise<RunningServer> => {
  const log = options.log ?? createLogger(config.log);
  const runtime = options.runtimeFolder ?? join(config.dataDir, "runtime");
  const { embedded = null, parts = {} } = options;
  const { eraseWithinMs } = options;
  const program = await openProgram({
    config,
    log,
    embedded,
    runtimeFolder: runtime,
    parts,
    ...(options.settingSources === undefined ? {} : { settingSources: options.settingSources }),
    ...(eraseWithinMs === undefined ? {} : { eraseWithinMs }),
  });
  const opened: { server?: Awaited<ReturnType<typeof listen>>; socket?: OperatorSocket } = {};
  const followers: { close(): Promise<void> }[] = [];
  const closeFollowers = () => Promise.all(followers.map((follower) => follower.close()));
  const close = async () => {
    await closeFollowers();
    await opened.socket?.close();
    await opened.server?.stop(true);
    await program.close();
  };
  try {
    const { store, lifecycle, ingest, embedder, calibrator, webhooks, work, pages } = program.deps;
    const adminKey = options.adminKey ?? null;
    if (adminKey !== null) await ensureAdminKey(store, adminKey);
    const server = await listen(config.server, program.handle);
    opened.server = server;
    const port = server.port ?? config.server.port;
    const url = listenerAddress(config.server.host, port);
    const operator = createOperatorHandler(store, program.handle, url);
    opened.socket = await listenForOperator(config.dataDir, operator);
    store.announce(url);
    await webhooks.start(config.server.baseUrl ?? url);
    await ingest.start();
    embedder.start();
    calibrator.start();
    // It is shown only once: generated when nothing can fail before it is shown.
    const firstKey = adminKey === null ? await ensureAdminKey(store, null) : null;
    lifecycle.ready();
    const { followConfiguredFolders } = await import("../folders/configured-folders.ts");
    const { followConfiguredSites } = await import("../sites/configured-sites.ts");
    const principal = await configuredPrincipal(store);
    followers.push(followConfiguredFolders({ config, work, principal, log }));
    followers.push(followConfiguredSites({ config, work, fetcher: pages, principal, log }));
    // In the background: the check neither stops nor delays the start.
    const checked = configuredModels(config, runtime, embedded, false);
    const stopCheck = new AbortController();
    if (options.parts === undefined) void logModelCheck(checked, log, stopCheck.signal);

    const stop = async () => {
      stopCheck.abort();
      // Documents in the queue are canceled at once: their state is stored, and the next start resumes them.
      const [cutOff] = await Promise.all([
        lifecycle.drain(config.server.drainTimeoutMs),
        ingest.close(),
        closeFollowers(),
      ]);
      if (cutOff > 0) log.warn({ requests: cutOff }, "requests were cut off at the end of server.drainTimeoutMs");
      await close();
    };
    let stopping: Promise<void> | null = null;
    return {
      url,
      port,
      firstKey,
      program,
      stop() {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
};
