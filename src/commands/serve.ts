import { loadConfig } from "../../config/load.ts";
import { version } from "../domain/version.ts";
import { createLogger } from "../log.ts";
import { lowerCompilerPriority } from "../program/compiler-priority.ts";
import type { Environment } from "../program/environment.ts";
import { firstStartText, readAdminKey } from "../program/first-start.ts";
import { startServer } from "../program/start-server.ts";

/** `carrel serve`: runs until it is asked to end, then stops gracefully. */
export const serve = async (options: { config?: string }, environment: Environment): Promise<void> => {
  const { env, cwd, write, embedded, stop } = environment;
  const { config, sources } = await loadConfig({ file: options.config, env, cwd });
  const adminKey = readAdminKey(env);
  // Child processes must not see it.
  delete process.env.CARREL_ADMIN_KEY;
  const log = createLogger(config.log);
  // Files in the data directory are readable by their owner alone.
  process.umask(0o077);

  process.on("unhandledRejection", (error) => log.error({ err: error }, "something failed in the background"));
  const server = await startServer(config, { log, embedded, adminKey, settingSources: sources });
  write(`Carrel ${version} listens on ${server.url}\n`);
  if (server.firstKey !== null) write(firstStartText(config.server.baseUrl ?? server.url, server.firstKey));
  lowerCompilerPriority();
  log.info({ url: server.url, version }, "ready");

  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
  log.info({ signal: String(stop.reason) }, "stopping");
  await server.stop();
  log.info("stopped");
};
