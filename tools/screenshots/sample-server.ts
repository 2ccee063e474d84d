import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfig } from "../../config/load.ts";
import { generateKey } from "../../src/access/key.ts";
import { createLogger } from "../../src/log/log.ts";
import { startServer } from "../../src/program/start-server.ts";

/** A server in this process, with a data directory of its own. */
export interface SampleServer {
  url: string;
  /** An admin key. */
  key: string;
  /** A request with that key. @throws Error where the answer is no JSON */
  ask(method: string, path: string, body?: object | FormData): Promise<{ status: number; body: { id: string } }>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

export const startSampleServer = async (): Promise<SampleServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-screenshots-"));
  const config = { ...defaultConfig(), dataDir };
  config.server.port = 0;
  config.models.embedding.model = "static";
  config.log.level = "silent";
  const key = generateKey();
  const server = await startServer(config, { log: createLogger(config.log), adminKey: key });
  const named = await fetch(`${server.url}/api/key`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Reading room", role: "admin" }),
  });
  return {
    url: server.url,
    // The key that the server began with is named as its variable is.
    key: ((await named.json()) as { key: string }).key,
    async ask(method, path, body) {
      const answer = await fetch(server.url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body instanceof FormData ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as { id: string } };
    },
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
