import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../../config/schema.ts";
import { generateKey } from "../../access/key.ts";
import { createLogger } from "../../log/log.ts";
import type { Environment } from "../../program/environment.ts";
import { startServer } from "../../program/start-server.ts";
import { ensureTemporaryFolder, runtimeFolder } from "../../runtime/runtime-folder.ts";
import type { OperatorClient } from "../client/client.ts";
import { createHttpClient } from "../client/http-client.ts";

/**
 * Starts the whole server with the configured models, on a free port of this machine and with an empty store that is
 * removed when the client is closed. It uses no data directory, folders, sites or webhooks of the configuration.
 * @returns its API by HTTP, as an administrator
 */
export const startTemporaryServer = async (
  config: Config,
  { env, embedded, stop }: Environment,
): Promise<OperatorClient> => {
  const temporary = await ensureTemporaryFolder(env, join(config.dataDir, "runtime/tmp"));
  const folder = await mkdtemp(join(temporary, "carrel-eval-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    process.umask(0o077);
    const key = generateKey();
    // The command itself reports failures.
    const level = ["info", "warn"].includes(config.log.level) ? "error" : config.log.level;
    const server = await startServer(
      {
        ...config,
        dataDir: join(folder, "data"),
        store: { ...config.store, uri: null },
        server: {
          ...config.server,
          host: "127.0.0.1",
          port: 0,
          baseUrl: null,
          tls: { certificate: null, key: null, hstsMaxAgeSeconds: 0 },
        },
        folders: [],
        sites: [],
        webhooks: [],
      },
      {
        log: createLogger({ ...config.log, level }),
        embedded,
        adminKey: key,
        runtimeFolder: await runtimeFolder(config, env, folder),
      },
    );
    return {
      ...createHttpClient(server.url, key, stop),
      async close() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
};
