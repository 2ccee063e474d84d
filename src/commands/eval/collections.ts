import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../../config/schema.ts";
import { generateKey } from "../../access/key.ts";
import { CommandFailure } from "../../domain/errors.ts";
import type { EmbedderStatus } from "../../embedder/embedder.ts";
import { type Call, type Collections, ingestOverHttp } from "../../evaluation/collection.ts";
import { createLogger } from "../../log/log.ts";
import type { Environment } from "../../program/environment.ts";
import { startServer } from "../../program/start-server.ts";
import { ensureTemporaryFolder, runtimeFolder } from "../../runtime/runtime-folder.ts";
import { createHttpClient, jsonBody, type OperatorClient, readAnswer } from "../client/client.ts";

const lookEveryMs = 500;

/**
 * Waits until the documents have the vectors of the configured model: without them the figures would be those of the
 * built-in table. A key that may not see the embedder waits for nothing.
 * @throws CommandFailure if the model cannot be used
 */
const awaitVectors = async (client: Pick<OperatorClient, "send">): Promise<void> => {
  for (;;) {
    const response = await client.send("/api/embedder");
    if (response.status === 403) return;
    const { pending, building, error } = await readAnswer<EmbedderStatus>(response);
    if (pending === 0 && building === null) return;
    if (error !== null) throw new CommandFailure(`The embedding model makes no vectors: ${error}`);
    await Bun.sleep(lookEveryMs);
  }
};

/**
 * Starts the whole server with the configured models, on a free port of this machine and with an empty store that is
 * removed when the client is closed. It uses no data directory, folders, sites or webhooks of the configuration.
 * @returns its API by HTTP, as an administrator
 */
const startTemporaryServer = async (config: Config, { env, embedded, stop }: Environment): Promise<OperatorClient> => {
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

/** Each set in a server and a store of its own, which are removed on close. */
export const temporaryCollections = (config: Config, environment: Environment): Collections => {
  const servers: OperatorClient[] = [];
  return {
    async ingest(name, documents, onDone) {
      const server = await startTemporaryServer(config, environment);
      servers.push(server);
      const { collection } = await ingestOverHttp(createCall(server), name, documents, onDone);
      await awaitVectors(server);
      return collection;
    },
    async close() {
      for (const server of servers.splice(0)) await server.close();
    },
  };
};

/** Lifetime of a key made for a set, in case it is never revoked. */
const keyLifetimeMs = 24 * 3_600_000;

/**
 * Each set in a partition of its own on a running server. With an administrator's key, it is asked with a key
 * limited to that partition, so that the rarity of words is counted there alone and nothing else is touched. Partitions
 * and keys are deleted on close.
 */
export const serverCollections = (
  address: string,
  key: string,
  stop: AbortSignal,
  onNote: (note: string) => void,
): Collections => {
  const client = createHttpClient(address, key, stop);
  // Not ended by the signal to stop: what is created has to be known, to be removed.
  const lasting = createHttpClient(address, key, new AbortController().signal);
  const made: string[] = [];
  return {
    async ingest(name, documents, onDone) {
      const partition = `evaluation of ${name.slice(0, 150)} ${randomUUID()}`;
      const { id } = await createCall(lasting)<{ id: string }>("/api/partition", { name: partition });
      made.push(`/api/partition/${id}?documents=delete`);
      stop.throwIfAborted();
      const limited = await lasting.send(
        "/api/key",
        jsonBody({
          name: partition,
          role: "writer",
          partitionId: id,
          expiresAt: new Date(Date.now() + keyLifetimeMs).toISOString(),
        }),
      );
      let asked = client;
      if (limited.status === 403) {
        onNote(
          `${name}: this key may not make another, so that words count by how rare they are in all of its organization's documents, and these are among them meanwhile. A key of an organization of its own is better: carrel key create --organization NAME.`,
        );
      } else {
        const { id: keyId, key: limitedKey } = await readAnswer<{ id: string; key: string }>(limited);
        made.push(`/api/key/${keyId}`);
        asked = createHttpClient(address, limitedKey, stop);
      }
      const { collection } = await ingestOverHttp(createCall(asked), partition, documents, onDone);
      await awaitVectors(client);
      return collection;
    },
    async close() {
      for (const path of made.splice(0).reverse()) {
        const response = await lasting.send(path, { method: "DELETE" });
        if (response.status !== 404) await readAnswer(response);
      }
    },
  };
};

/** Makes calls whose answers are JSON. The calls throw a CommandFailure with the problem's message. */
const createCall =
  (client: Pick<OperatorClient, "send">): Call =>
  async (path, body, method) =>
    readAnswer(
      await client.send(
        path,
        body === undefined ? { method: method ?? "GET" } : { ...jsonBody(body), method: method ?? "POST" },
      ),
    );
