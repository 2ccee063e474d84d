import { defaultConfig } from "../../config/load.ts";
import type { Config } from "../../config/schema.ts";
import type { FileParser } from "../../providers/contract.ts";
import { createIngestWork, type IngestWork } from "../../src/documents/ingest/ingest-work.ts";
import { documentEndpoints } from "../../src/documents/routes.ts";
import type { Role } from "../../src/domain/records.ts";
import { createRequestHandler } from "../../src/http/handler.ts";
import { createLifecycle } from "../../src/http/lifecycle.ts";
import { listenerOptions } from "../../src/http/listener.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { createFetcher } from "../../src/ingest/fetch/fetcher.ts";
import { createPipeline } from "../../src/ingest/pipeline.ts";
import { createDocumentTurns } from "../../src/ingest/prepare/document-turn.ts";
import { createIngestQueue, type IngestQueue } from "../../src/ingest/work/queue.ts";
import { generateKey, hashKey } from "../../src/keys/key-text.ts";
import { createBuiltinParser, parseWorkerCommand } from "../../src/parse/builtin-parser.ts";
import { partitionEndpoints } from "../../src/partitions/routes.ts";
import type { Store } from "../../src/store/contract.ts";
import { openTemporaryStore, silentLog } from "../store/open-temporary-store.ts";
import { createScriptedEmbeddings, type ScriptedEmbeddings } from "./scripted-embeddings.ts";

/** The document operations on a real listener, store, parser and fetcher; only the embedding model is made up. */
export interface DocumentServer {
  url: string;
  dataDir: string;
  store: Store;
  ingest: IngestQueue;
  turns: IngestWork["turns"];
  embeddings: ScriptedEmbeddings;
  organizationId: string;
  /** A new key, of role `writer` in organization `default` where nothing else is said. */
  key(options?: { organization?: string; role?: Role; partitionId?: string }): Promise<string>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface CallOptions {
  /** The server's own writer key where none is given. */
  key?: string;
  json?: unknown;
  body?: string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
  body: any;
}

export interface DocumentServerOptions {
  config?: (config: Config) => void;
  parser?: FileParser;
  /** The queue does not work until `ingest.start()`. */
  paused?: boolean;
  /** The model counts as the built-in static one: small texts are then found when their batch is answered. */
  staticModel?: boolean;
}

export const serveDocuments = async (options: DocumentServerOptions = {}): Promise<DocumentServer> => {
  const [provider, model] = options.staticModel ? ["builtin", "static"] : ["ollama", "scripted"];
  const embeddings = Object.assign(createScriptedEmbeddings(), { provider, model });
  const { store, dataDir, dispose } = await openTemporaryStore({ provider, model });
  const config = structuredClone(defaultConfig());
  config.fetch.allowPrivateAddresses = true;
  config.fetch.timeoutMs = 2_000;
  options.config?.(config);
  const builtin = createBuiltinParser({
    ...config.parser,
    maxDocumentBytes: config.ingest.maxDocumentBytes,
    workerCommand: parseWorkerCommand(new URL("../../src/main.ts", import.meta.url).pathname),
    ocrProgram: null,
  });
  const pipeline = createPipeline({
    store,
    fetchUrl: createFetcher(config.fetch),
    parser: options.parser ?? builtin,
    embeddingFor: () => embeddings,
    maxDocumentBytes: config.ingest.maxDocumentBytes,
    log: silentLog,
  });
  const turns = createDocumentTurns(config.ingest.concurrency);
  const ingest = createIngestQueue({ store, pipeline, turns, log: silentLog });
  const lifecycle = createLifecycle();
  lifecycle.ready();
  const work = createIngestWork({ store, pipeline, turns, ingest, log: silentLog });
  const deps = { config, log: silentLog, store, lifecycle, metrics: createMetrics(), ingest, work };
  const handle = createRequestHandler([...documentEndpoints(deps), ...partitionEndpoints(deps)], deps);
  const server = Bun.serve({ ...listenerOptions(handle), hostname: "127.0.0.1", port: 0 });
  const url = server.url.href.replace(/\/$/, "");
  if (!options.paused) await ingest.start();

  const key: DocumentServer["key"] = async ({ organization = "default", role = "writer", partitionId } = {}) => {
    const text = generateKey();
    await store.keys.add({
      id: Bun.randomUUIDv7(),
      organizationId: (await store.organizations.upsert(organization)).id,
      userId: "user-1",
      name: "test",
      role,
      partitionId: partitionId ?? null,
      hash: hashKey(text),
      createdAt: Date.now(),
      expiresAt: null,
    });
    return text;
  };
  const ownKey = await key();

  return {
    url,
    dataDir,
    store,
    ingest,
    turns,
    embeddings,
    organizationId: (await store.organizations.upsert("default")).id,
    key,
    async call(method, path, { key: given = ownKey, json, body, headers, signal } = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${given}`,
          ...(json === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
        ...(signal === undefined ? {} : { signal }),
      });
      const bytes = await response.bytes();
      const text = new TextDecoder().decode(bytes);
      const isJson = /\/(problem\+)?json/.test(response.headers.get("content-type") ?? "");
      return {
        status: response.status,
        headers: response.headers,
        bytes,
        text,
        body: isJson && text !== "" ? JSON.parse(text) : null,
      };
    },
    async stop() {
      await ingest.close();
      await server.stop(true);
      await builtin.close();
      await dispose();
    },
  };
};

/** Asks until `isDone` holds of the document, for at most 15 s. */
export const waitForDocument = async (
  server: DocumentServer,
  id: string,
  isDone: (document: Answer["body"]) => boolean = ({ status }) => status === "processed" || status === "failed",
): Promise<Answer["body"]> => {
  for (let tries = 0; tries < 600; tries++) {
    const { body } = await server.call("GET", `/api/document/${id}`);
    if (isDone(body)) return body;
    await Bun.sleep(25);
  }
  throw new Error("the document did not come to an end");
};
