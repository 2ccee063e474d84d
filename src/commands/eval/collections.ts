import { randomUUID } from "node:crypto";
import type { Config } from "../../../config/schema.ts";
import type { Collections } from "../../evaluation/collection.ts";
import { type Call, ingestOverHttp } from "../../evaluation/http-collections.ts";
import type { Environment } from "../../program/environment.ts";
import { jsonBody, type OperatorClient, readAnswer } from "../client/client.ts";
import { createHttpClient } from "../client/http-client.ts";
import { awaitVectors } from "./await-vectors.ts";
import { startTemporaryServer } from "./temporary-server.ts";

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
