import { join } from "node:path";
import { ConfigError } from "../../config/fault.ts";
import { type LoadOptions, loadConfig } from "../../config/load.ts";
import { version } from "../domain/version.ts";
import { createLogger, type Logger } from "../log/log.ts";
import type { Environment } from "../program/environment.ts";
import { firstStartText, readAdminKey } from "../program/first-start.ts";
import { type RunningServer, startServer } from "../program/start-server.ts";
import { lowerThreadPriorities } from "../program/thread-priorities.ts";
import { ownCommand } from "../system/child-process.ts";
import { createServiceNotices } from "../system/service-notices.ts";

/** Closing can take this long on a machine that is busy with other work; after that the process ends without it. */
export const maxCloseMs = 2_000;

/**
 * Stops the server, or gives up: a supervisor would kill it, and writes that were acknowledged are on the disk already.
 * @param maxMs how long to wait @returns whether it was closed in order
 */
export const stopWithin = async (stop: () => Promise<void>, maxMs: number, log: Logger): Promise<boolean> => {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), maxMs);
  const isClosed = await Promise.race([stop().then(() => true), late]);
  clearTimeout(timer);
  if (!isClosed)
    log.warn(
      { afterMs: maxMs },
      "closing took too long: the server ends without it, and the next start checks the store as after a crash",
    );
  return isClosed;
};

interface ServeOptions {
  config?: string;
  port?: number;
  host?: string;
}

/** The options stand for the variables of the same settings, which win over the settings file. */
const variablesOf = ({ port, host }: ServeOptions): Record<string, string | undefined> => ({
  ...(port === undefined ? {} : { CARREL_SERVER_PORT: String(port), CARREL_SERVER_PORT_FILE: undefined }),
  ...(host === undefined ? {} : { CARREL_SERVER_HOST: host, CARREL_SERVER_HOST_FILE: undefined }),
});

/** `carrel serve`: runs until it is asked to end, then stops gracefully. */
export const serve = async (options: ServeOptions, environment: Environment): Promise<void> => {
  const { cwd, write, embedded, stop } = environment;
  const env = { ...environment.env, ...variablesOf(options) };
  const source = { file: options.config, env, cwd };
  const running = Promise.withResolvers<RunningServer>();
  let reloading: Promise<void> = Promise.resolve();
  // From the first moment on: a SIGHUP that comes while the store is opened waits, and ends nothing.
  environment.onReload(() => {
    reloading = reloading.then(async () => reload(source, await running.promise, log));
  });
  const { config, file, sources, ignored } = await loadConfig(source);
  const adminKey = await readAdminKey(env, cwd);
  // Child processes must not see it.
  delete process.env.CARREL_ADMIN_KEY;
  const notices = createServiceNotices(env);
  delete process.env.NOTIFY_SOCKET;
  const log = createLogger(config.log);
  if (ignored !== null)
    log.warn({ file: ignored }, "a settings file in the data directory is not read: move it and name it with --config");
  // Files in the data directory are readable by their owner alone.
  process.umask(0o077);

  process.on("unhandledRejection", (error) => log.error({ err: error }, "something failed in the background"));
  const upkeepCommand = ownCommand("upkeep-worker", join(import.meta.dir, "../main.ts"));
  const server = await startServer(config, {
    log,
    embedded,
    adminKey,
    settingSources: sources,
    settingsFile: file,
    upkeepCommand,
  });
  write(`Carrel ${version} listens on ${server.url}\n`);
  if (server.firstKey !== null) write(firstStartText(config.server.baseUrl ?? server.url, server.firstKey));
  lowerThreadPriorities(server.program.deps.lifecycle.onEnter);
  log.info({ url: server.url, version, settings: file ?? "none" }, "ready");
  notices.ready();
  running.resolve(server);

  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
  log.info({ signal: String(stop.reason) }, "stopping");
  notices.stopping();
  if (await stopWithin(server.stop, config.server.drainTimeoutMs + maxCloseMs, log)) log.info("stopped");
};

/** Reads the settings again. With a fault in them nothing changes. */
const reload = async (source: LoadOptions, server: RunningServer, log: Logger): Promise<void> => {
  try {
    const { config } = await loadConfig(source);
    await server.reload(config);
  } catch (error) {
    if (error instanceof ConfigError)
      log.error({ reason: error.message }, "the settings were not read again: nothing changed");
    else log.error({ err: error }, "the settings could not be read again");
  }
};
