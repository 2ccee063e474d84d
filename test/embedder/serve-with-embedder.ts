import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import { generateKey } from "../../src/access/key.ts";
import type { EmbedderStatus } from "../../src/embedder/embedder.ts";
import type { AnswerBody } from "../answers/client.ts";
import { startTestServer, type TestServer } from "../start-server.ts";
import { until } from "../until.ts";

export type EmbeddingSettings = Partial<Config["models"]["embedding"]>;

/** The whole server (`startTestServer`) on one data directory, started again and again with other models. */
export interface EmbedderServer {
  dataDir: string;
  /** Stops what runs and starts anew. */
  restart(settings: EmbeddingSettings, change?: (config: Config) => void): Promise<void>;
  send(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, signal?: AbortSignal): Promise<Response>;
  ingest(text: string): Promise<Response>;
  search(query: string): Promise<AnswerBody>;
  status(): Promise<EmbedderStatus>;
  /** Asks until the status is as wished, for at most 20 s. */
  until(isDone: (status: EmbedderStatus) => boolean): Promise<EmbedderStatus>;
  dispose(): Promise<void>;
}

export const serveWithEmbedder = async (): Promise<EmbedderServer> => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-embedder-"));
  const adminKey = generateKey();
  let running: TestServer | null = null;
  const send: EmbedderServer["send"] = (path, init) => {
    if (running === null) throw new Error("the server is not started");
    return running.call(path, init);
  };
  const status = async (): Promise<EmbedderStatus> => (await (await send("/api/embedder")).json()) as EmbedderStatus;
  const post: EmbedderServer["post"] = (path, body, signal) =>
    send(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  return {
    dataDir,
    status,
    send,
    post,
    async restart(settings, change) {
      await running?.stop();
      const configure = (config: Config): void => {
        config.models.embedding = { ...config.models.embedding, timeoutMs: 5_000, ...settings };
        change?.(config);
      };
      running = await startTestServer({}, { adminKey, configure, isKept: true }, dataDir);
    },
    ingest: (text) => post("/api/ingest", { name: text.slice(0, 40), text }),
    async search(query) {
      const response = await post("/api/search", { query });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as AnswerBody;
    },
    async until(isDone) {
      let now = await status();
      await until(async () => {
        now = await status();
        return isDone(now);
      }, "the embedder comes to that");
      return now;
    },
    async dispose() {
      await running?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
