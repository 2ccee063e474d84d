import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import {
  type ChatModel,
  type EmbeddingModel,
  type FileParser,
  ProviderError,
  type Reranker,
} from "../../providers/contract.ts";
import type { Dependencies } from "../dependencies.ts";
import { CommandFailure } from "../domain/command-failure.ts";
import { ApiError } from "../domain/errors.ts";
import { version } from "../domain/version.ts";
import { watchEventLoop } from "../http/event-loop.ts";
import type { RequestHandler } from "../http/handler.ts";
import { createLifecycle } from "../http/lifecycle.ts";
import { createMetrics } from "../http/metrics.ts";
import type { FetchUrl } from "../ingest/fetch/contract.ts";
import type { Logger } from "../log.ts";
import type { Store } from "../store/contract.ts";
import type { EmbeddedParts } from "./embedded-parts.ts";
import { listenerAddress } from "./listener-address.ts";
import { prepareNativeAddon } from "./native-addon.ts";
import { defaultOrganization } from "./operator.ts";
import { ensureTemporaryFolder } from "./temporary-folder.ts";

/** Parts that a caller brings instead of those the configuration names; tests do. */
export interface Parts {
  embeddings: EmbeddingModel;
  answerModel: ChatModel | null;
  reranker: Reranker | null;
  parser: FileParser;
  fetchUrl: FetchUrl;
}

export interface ProgramOptions {
  config: Config;
  log: Logger;
  embedded: EmbeddedParts | null;
  /** Where native parts are unpacked; `<dataDir>/runtime` where not given. */
  runtimeFolder?: string;
  parts?: Partial<Parts>;
  /** How soon what is removed has left the disk; the store's own limit unless given. */
  eraseWithinMs?: number;
}

/** The whole of Carrel but for its listeners: the store is open, requests can be answered, nothing works by itself yet. */
export interface OpenProgram {
  deps: Dependencies;
  handle: RequestHandler;
  /** Stops the work on documents (they stay `pending`) and closes the store. */
  close(): Promise<void>;
}

/**
 * Builds everything, in the one place where the parts meet.
 * @throws CommandFailure, or what a part throws, each saying what to do
 */
export const openProgram = async ({
  config,
  log,
  embedded,
  runtimeFolder,
  parts = {},
  eraseWithinMs,
}: ProgramOptions): Promise<OpenProgram> => {
  const { dataDir } = config;
  const runtime = runtimeFolder ?? join(dataDir, "runtime");
  await makeDataDir(dataDir);
  await ensureTemporaryFolder(process.env, join(dataDir, "runtime/tmp"));
  await prepareNativeAddon(embedded?.lancedb ?? null, runtime);

  const registry = await import("../../providers/registry.ts");
  const { createMiniLm } = await import("./configured-models.ts");
  const makeMiniLm = () => createMiniLm(config, runtime, embedded);
  const embeddings = parts.embeddings ?? (await registry.createEmbeddingModel(config.models.embedding, makeMiniLm));
  const opened = await openStoreFor(config, embeddings, log, eraseWithinMs);
  try {
    const { createBuiltinParser, parseWorkerCommand } = await import("../parse/builtin-parser.ts");
    const { createConfiguredParser } = await import("../parse/configured-parser.ts");
    const { createFetcher } = await import("../ingest/fetch/fetcher.ts");
    const { createPipeline } = await import("../ingest/pipeline.ts");
    const { createDocumentTurns } = await import("../ingest/prepare/document-turn.ts");
    const { createIngestQueue } = await import("../ingest/work/queue.ts");
    const { createRetriever } = await import("../retrieval/retrieve.ts");
    const { createEmbedder } = await import("../embedder/embedder.ts");
    const { analysisVersion } = await import("../text/analysis/analyze.ts");
    const { configuredEndpoints } = await import("../webhooks/endpoint.ts");
    const { createWebhooks } = await import("../webhooks/webhooks.ts");
    const { createPageFetcher } = await import("../sites/page-fetcher.ts");
    const { createIngestWork } = await import("../documents/ingest/ingest-work.ts");
    const { createApp } = await import("../app.ts");

    const webhooks = createWebhooks({
      endpoints: configuredEndpoints(config.webhooks),
      store: opened,
      baseUrl: config.server.baseUrl ?? listenerAddress(config.server.host, config.server.port),
      log,
    });
    // From here on changes of documents are told to whom the configuration names.
    const { store } = webhooks;

    const lifecycle = createLifecycle();
    const eventLoop = watchEventLoop({ lifecycle, log });
    const embedder = await createEmbedder({
      store,
      configured: embeddings,
      dimensions: config.models.embedding.dimensions,
      analysisVersion,
      makeIndexModel: (index) => registry.createIndexModel(config.models.embedding, index, makeMiniLm),
      isBusy: () => lifecycle.active > 0,
      log,
    });
    const builtin = createBuiltinParser({
      timeoutMs: config.parser.timeoutMs,
      maxMemoryBytes: config.parser.maxMemoryBytes,
      maxPages: config.parser.maxPages,
      ocrLanguages: config.parser.ocrLanguages,
      ocrTimeoutMs: config.parser.ocrTimeoutMs,
      maxDocumentBytes: config.ingest.maxDocumentBytes,
      workerCommand: parseWorkerCommand(join(import.meta.dir, "../main.ts")),
      // As many files as may have a turn at being read.
      maxWorkers: 2 * config.ingest.concurrency,
    });
    const fetchUrl = parts.fetchUrl ?? createFetcher(config.fetch);
    const pages = createPageFetcher({ fetchUrl, pauseMs: config.scan.pauseMs });
    const pipeline = createPipeline({
      store,
      fetchUrl,
      fetchPage: pages.fetchPage,
      parser: parts.parser ?? createConfiguredParser(config, builtin),
      embeddingFor: embedder.modelFor,
      isChangingModel: embedder.isChanging,
      beforeIndexing: embedder.ready,
      maxDocumentBytes: config.ingest.maxDocumentBytes,
      log,
    });
    const turns = createDocumentTurns(config.ingest.concurrency);
    const ingest = createIngestQueue({ store, pipeline, turns, log });
    const deps: Dependencies = {
      config,
      log,
      store,
      lifecycle,
      metrics: createMetrics(eventLoop),
      retrieve: createRetriever({
        store,
        embeddings: embedder.modelFor,
        reranker: parts.reranker === undefined ? registry.createRerankerModel(config.models.reranker) : parts.reranker,
        refusalThreshold: config.answers.refusalThreshold,
        log,
      }),
      answerModel:
        parts.answerModel === undefined ? registry.createAnswerModel(config.models.answer) : parts.answerModel,
      embedder,
      ingest,
      work: createIngestWork({ store, pipeline, turns, ingest, log }),
      pages,
      webhooks,
      version,
    };
    await store.organizations.upsert(defaultOrganization);
    return {
      deps,
      handle: await createApp(deps),
      async close() {
        eventLoop.stop();
        await ingest.close();
        await webhooks.close();
        await embedder.close();
        embeddings.close?.();
        await builtin.close();
        await store.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
};

const makeDataDir = async (dataDir: string): Promise<void> => {
  if (process.platform !== "win32" && /[?\\\p{Cc}]/u.test(dataDir))
    throw new CommandFailure(
      `The path of the data directory ${JSON.stringify(dataDir)} holds a sign that LanceDB cannot open (?, \\ or a control character): set dataDir (CARREL_DATA_DIR) to another one.`,
    );
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = (error as { code?: string }).code ?? String(error);
    throw new CommandFailure(
      `The data directory ${dataDir} cannot be made (${code}): set dataDir (CARREL_DATA_DIR) to a folder this user may write to.`,
    );
  }
};

/** How long the first start waits for the embedding model to tell the length of its vectors. */
const FIRST_ANSWER_MS = 2_000;

/** Opens the store. A new one whose model cannot be reached gets its index when it can: nothing waits for a model server. */
const openStoreFor = async (
  { dataDir, models }: Config,
  embeddings: EmbeddingModel,
  log: Logger,
  eraseWithinMs: number | undefined,
): Promise<Store> => {
  const { openStore } = await import("../store/open.ts");
  const { DataDirInUseError } = await import("../store/recovery/lock.ts");
  const { StoreDamagedError } = await import("../store/recovery/check-table.ts");
  const { analysisVersion } = await import("../text/analysis/analyze.ts");
  const { provider, model, revision } = embeddings;
  const askDimensions = async (): Promise<number> =>
    Promise.race([
      embeddings.dimensions(AbortSignal.timeout(FIRST_ANSWER_MS)),
      Bun.sleep(FIRST_ANSWER_MS).then(() => 0),
    ]).catch((error: unknown) => {
      if (error instanceof ProviderError) return 0;
      throw error;
    });
  return openStore({
    dataDir,
    log,
    ...(eraseWithinMs === undefined ? {} : { eraseWithinMs }),
    index: async () => ({
      provider,
      model,
      modelRevision: revision ?? "",
      dimensions: models.embedding.dimensions ?? (await askDimensions()),
      analysisVersion,
    }),
  }).catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    if (error instanceof DataDirInUseError || error instanceof StoreDamagedError)
      throw new CommandFailure(error.message);
    log.debug({ err: error }, "the store could not be opened");
    throw new CommandFailure(`The data in ${dataDir} cannot be opened: ${reasonOf(error)}`);
  });
};

/** Without the traces that LanceDB's own errors carry behind the first sentence. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split(/\sCaused by:|, \/\S+\.rs:/)[0]?.trim() ?? "";
