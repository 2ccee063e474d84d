import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import { createLogger } from "../log/log.ts";
import { ensureAdminKey } from "./first-start.ts";
import { openProgram } from "./open-program.ts";
import {
  type Listeners,
  openListeners,
  type RunningServer,
  reloadSettings,
  type StartOptions,
} from "./running-server.ts";
import { startSharedServer } from "./start-shared-server.ts";
import { startCertificate } from "./tls/follow-certificate.ts";
import { startWriterWork } from "./writer-work.ts";

export type { RunningServer, StartOptions } from "./running-server.ts";

/**
 * Starts the server as `carrel serve` does: store, first key, listener, operator's socket, waiting documents.
 * @throws CommandFailure, or Error that names who holds the data directory
 */
export const startServer = async (config: Config, options: StartOptions = {}): Promise<RunningServer> => {
  const log = options.log ?? createLogger(config.log);
  if (config.store.uri !== null) return startSharedServer(config, { ...options, log });
  const runtimeFolder = options.runtimeFolder ?? join(config.dataDir, "runtime");
  const { lookAtCertificateEveryMs, adminKey = null } = options;
  const tls = await startCertificate(config.server.tls, log);
  const program = await openProgram({ ...options, config, log, runtimeFolder });
  const { store, metrics } = program.deps;
  let listeners: Listeners | null = null;
  const close = async () => {
    await listeners?.close();
    await program.close();
  };
  try {
    if (adminKey !== null) await ensureAdminKey(store, adminKey, log);
    listeners = await openListeners({
      config,
      handle: program.handle,
      store,
      noteCertificate: metrics.noteCertificate,
      tls,
      ...(lookAtCertificateEveryMs === undefined ? {} : { lookAtCertificateEveryMs }),
      log,
    });
    const { url, port, lookAtCertificate } = listeners;
    const work = await startWriterWork({ ...options, config, deps: program.deps, url, runtimeFolder, adminKey, log });
    const stop = async () => {
      await work.end();
      await work.close();
      await close();
    };
    let stopping: Promise<void> | null = null;
    return {
      url,
      port,
      firstKey: work.firstKey,
      program,
      async reload(next) {
        const changes = await reloadSettings({ config, store, log }, next);
        await lookAtCertificate();
        return changes;
      },
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
