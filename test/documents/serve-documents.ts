import type { Config } from "../../config/schema.ts";
import type { FileParser } from "../../providers/contract.ts";
import { documentEndpoints } from "../../src/documents/routes.ts";
import type { HttpDependencies } from "../../src/http/frame.ts";
import { createFetcher } from "../../src/ingest/fetch/fetcher.ts";
import { createDocumentTurns } from "../../src/ingest/prepare/document-turn.ts";
import { createPipeline } from "../../src/ingest/prepare/pipeline.ts";
import { createIngestQueue, type IngestQueue } from "../../src/ingest/queue/queue.ts";
import { createIngestWork, type IngestWork } from "../../src/ingest/work.ts";
import { createBuiltinParser } from "../../src/parse/builtin-parser.ts";
import { partitionEndpoints } from "../../src/partitions/routes.ts";
import { ownCommand } from "../../src/system/child-process.ts";
import { atEnd } from "../at-end.ts";
import { type Answer, type CallOptions, callServer } from "../call-server.ts";
import { type EndpointServer, serveEndpoints, withoutModel, withoutQuotas } from "../serve-endpoints.ts";
import { until } from "../until.ts";
import { createScriptedEmbeddings, type ScriptedEmbeddings } from "./scripted-embeddings.ts";

export type { Answer, CallOptions };

/** The document operations (`serveEndpoints`) with parser, fetcher and queue; only the embedding model is made up. */
export interface DocumentServer extends EndpointServer {
  ingest: IngestQueue;
  turns: IngestWork["turns"];
  embeddings: ScriptedEmbeddings;
  /** With the server's own writer key where none is given. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

interface DocumentServerOptions {
  config?: (config: Config) => void;
  parser?: FileParser;
  /** The queue does not work until `ingest.start()`. */
  paused?: boolean;
  /** Small texts count as small, and are found when their batch is answered; else all count as large, two at once. */
  staticModel?: boolean;
}

export const serveDocuments = async (options: DocumentServerOptions = {}): Promise<DocumentServer> => {
  const [provider, model] = options.staticModel ? ["builtin", "static"] : ["ollama", "scripted"];
  const embeddings = Object.assign(createScriptedEmbeddings(), { provider, model });
  const parts: { ingest?: IngestQueue; turns?: IngestWork["turns"]; closeParser?: () => Promise<void> } = {};

  const endpoints = (deps: HttpDependencies) => {
    const { config, store, log } = deps;
    const { maxDocumentBytes, concurrency } = config.ingest;
    const builtin = createBuiltinParser({
      ...config.parser,
      maxDocumentBytes,
      workerCommand: ownCommand("parse-worker", new URL("../../src/main.ts", import.meta.url).pathname),
      ocrProgram: null,
    });
    const made = createPipeline({
      store,
      fetchUrl: createFetcher(config.fetch),
      parser: options.parser ?? builtin,
      embeddingFor: () => embeddings,
      maxDocumentBytes,
      log,
    });
    const pipeline = options.staticModel ? made : { ...made, sizeOf: () => "large" as const };
    const turns = createDocumentTurns(concurrency);
    const ingest = createIngestQueue({ store, pipeline, turns, log });
    const work = createIngestWork({ store, pipeline, turns, ingest, quotas: withoutQuotas, log });
    Object.assign(parts, { ingest, turns, closeParser: () => builtin.close() });
    return [
      ...documentEndpoints({ ...deps, ingest, work, embedder: withoutModel }),
      ...partitionEndpoints({ ...deps, ingest, work }),
    ];
  };

  const server = await serveEndpoints({
    store: { provider, model },
    configure(config) {
      config.fetch.allowPrivateAddresses = true;
      config.fetch.timeoutMs = 10_000;
      options.config?.(config);
    },
    endpoints,
  });
  const { ingest, turns } = parts;
  if (ingest === undefined || turns === undefined) throw new Error("the operations were not made");
  if (!options.paused) await ingest.start();
  const ownKey = await server.key();

  return {
    ...server,
    ingest,
    turns,
    embeddings,
    call: (method, path, { key = ownKey, ...rest } = {}) => callServer(server.url, method, path, { key, ...rest }),
    stop: atEnd(async () => {
      await ingest.close();
      await parts.closeParser?.();
      await server.stop();
    }),
  };
};

/** Asks until `isDone` holds of the document. */
export const waitForDocument = async (
  server: DocumentServer,
  id: string,
  isDone: (document: Answer["body"]) => boolean = ({ status }) => status === "processed" || status === "failed",
): Promise<Answer["body"]> => {
  let document: Answer["body"];
  await until(async () => {
    document = (await server.call("GET", `/api/document/${id}`)).body;
    return isDone(document);
  }, "the document comes to that");
  return document;
};
