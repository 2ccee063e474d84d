import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type KillableServer, startKillable } from "../../../bench/serving/killable-server.ts";
import { generateKey } from "../../../src/keys/key-text.ts";

/** A server of its own process that is brought down and started again at the same address. */
export interface RestartableServer {
  url: string;
  key: string;
  post(path: string, body: object): Promise<Response>;
  /** Asked to stop (it finishes what it can), or killed. */
  bringDown(how: "stop" | "kill"): Promise<void>;
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

const main = new URL("../../../src/main.ts", import.meta.url).pathname;

export const startRestartable = async (settings: Record<string, string>): Promise<RestartableServer> => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-restart-"));
  const key = generateKey();
  let port = "0";
  const start = (): KillableServer =>
    startKillable([process.execPath, main], folder, {
      CARREL_ADMIN_KEY: key,
      CARREL_MODELS_EMBEDDING_MODEL: "static",
      CARREL_SERVER_DRAIN_TIMEOUT_MS: "100",
      ...settings,
      CARREL_SERVER_PORT: port,
    });
  let running = start();
  const url = await running.url;
  if (url === null) throw new Error("the server did not start");
  port = new URL(url).port;
  return {
    url,
    key,
    post: (path, body) =>
      fetch(url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    async bringDown(how) {
      await running[how]();
    },
    async startAgain() {
      running = start();
      await running.url;
    },
    async stop() {
      await running.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
