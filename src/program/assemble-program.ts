import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { FileParser } from "../../providers/contract.ts";
import { createBackups } from "../backup/backups.ts";
import { newestBackup, newestBackupAt } from "../backup/journal.ts";
import { examine } from "../doctor/examine.ts";
import { defaultOrganization } from "../domain/ids.ts";
import { version } from "../domain/version.ts";
import { createEmbedder, type Embedder } from "../embedder/embedder.ts";
import { createCheckup } from "../health/checkup.ts";
import { watchEventLoop } from "../http/event-loop.ts";
import type { RequestHandler } from "../http/handler.ts";
import { createLifecycle } from "../http/lifecycle.ts";
import { createFetcher } from "../ingest/fetch/fetcher.ts";
import { tracedPipeline } from "../ingest/prepare/contract.ts";
import { createDocumentTurns, createRecentTenants, type RecentTenants } from "../ingest/prepare/document-turn.ts";
import { createPipeline } from "../ingest/prepare/pipeline.ts";
import { createIngestQueue, type IngestQueue } from "../ingest/queue/queue.ts";
import { createIngestWork, type IngestWork } from "../ingest/work.ts";
import { createQuotas, type Quotas, watchRemovals } from "../limits/quotas.ts";
import { createRates } from "../limits/rates.ts";
import type { Logger } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { CheckedModels } from "../models/check/check-models.ts";
import { createBuiltinParser, createConfiguredParser } from "../parse/builtin-parser.ts";
import { createKeepReceipt, keptMs } from "../receipts/keep-receipt.ts";
import { createQuestionLimit } from "../retrieval/question-limit.ts";
import { createRetriever } from "../retrieval/retrieve.ts";
import { createOllamaFinder } from "../settings/list-settings.ts";
import { createPageFetcher, type PageFetcher } from "../sites/page-fetcher.ts";
import type { Store } from "../store/contract.ts";
import { ownCommand } from "../system/child-process.ts";
import { analysisVersion } from "../text/analysis/analyze.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { LoadPageFiles } from "../web/page-files.ts";
import { configuredEndpoints } from "../webhooks/endpoint.ts";
import { createWebhooks } from "../webhooks/webhooks.ts";
import { createApp, type Dependencies } from "./app.ts";
import { type Models, observeModels } from "./create-models.ts";
import type { Parts, ProgramOptions } from "./environment.ts";
import { listenerAddress } from "./listen.ts";

/** All of Carrel except its listeners: the store is open, requests are answered, no background work runs yet. */
export interface OpenProgram {
  deps: Dependencies;
  handle: RequestHandler;
  /** Stops the work on documents (they stay `pending`) and closes the store. */
  close(): Promise<void>;
}

interface AssemblyOptions
  extends Pick<ProgramOptions, "config" | "log" | "embedded" | "settingSources" | "settingsFile" | "parts" | "shared"> {
  store: Store;
  models: Models;
  tracer: Tracer;
  /** The configured models, to be tried separately. */
  checkedModels: CheckedModels;
  pageFiles: LoadPageFiles;
}

/** A caller waits for what the server finds about itself. */
const maxOwnCheckMs = 30_000;

/** Builds everything on an open store: the one place where the parts meet. */
export const assembleProgram = async (options: AssemblyOptions): Promise<OpenProgram> => {
  const { config, log, tracer, parts = {}, embedded = null, settingsFile = null, settingSources = new Map() } = options;
  const webhooks = createWebhooks({
    endpoints: configuredEndpoints(config.webhooks),
    store: options.store,
    baseUrl: config.server.baseUrl ?? listenerAddress(config.server),
    areEmbeddedAtOnce: options.models.configured === null,
    log,
  });
  // From here on, changes of documents become events.
  const limited = { settings: config, keyLimits: options.store.keyLimits };
  const quotas = createQuotas({ ...limited, documents: webhooks.store.documents });
  const store = { ...webhooks.store, documents: watchRemovals(webhooks.store.documents, quotas) };
  const lifecycle = createLifecycle();
  const eventLoop = watchEventLoop({ lifecycle, log });
  const metrics = createMetrics(eventLoop);
  const { models, modelStates } = observeModels(options.models, metrics.models, tracer);
  const isBusy = (): boolean => lifecycle.active > 0;
  const embedder = await createEmbedder({
    store,
    builtin: models.builtin,
    configured: models.configured,
    isOptional: models.isOptional,
    dimensions: config.models.embedding.dimensions,
    analysisVersion,
    makeFormerModel: models.createFormerModel,
    isBusy,
    log,
  });
  const tenants = createRecentTenants();
  const ingest = createIngest({ config, log, store, embedder, quotas, parts, tracer, tenants });
  const questionLimit = createQuestionLimit();
  const retrieve = createRetriever({
    store,
    embeddings: embedder.modelFor,
    vectorModelFor: embedder.vectorModelFor,
    vectorFailure: embedder.vectorFailure,
    embedQuestion: questionLimit.embed,
    reranker: models.reranker,
    tracer,
    get refusalThreshold() {
      return config.answers.refusalThreshold;
    },
    log,
  });
  const backups = await createBackups({ config, store, version, log });
  const triedParts = { models: options.checkedModels, builtinParser: ingest.builtinParser };
  const checkup = createCheckup((signal) =>
    examine(
      {
        config,
        settingsFile,
        env: process.env,
        embedded,
        newestBackup: () => newestBackup(config.dataDir),
        tried: triedParts,
        damage: store.damage,
        signal,
      },
      { maxCheckMs: maxOwnCheckMs },
    ),
  );
  const deps: Dependencies = {
    config,
    log,
    store,
    lifecycle,
    metrics,
    tracer,
    modelStates,
    rates: createRates(limited),
    retrieve(tenant, request, signal) {
      tenants.note(tenant.organizationId);
      return retrieve(tenant, request, signal);
    },
    answerModel: models.answerModel,
    passageModel: models.builtin,
    meaningModel: models.configured?.provider === "builtin" ? models.configured : models.builtin,
    ...(keptMs(config.receipts) === 0 ? {} : { keepReceipt: createKeepReceipt(store.receipts) }),
    embedder,
    backups,
    checkup,
    newestBackupAt: () => newestBackupAt(config.dataDir),
    ingest: ingest.queue,
    work: ingest.work,
    pages: ingest.pages,
    settingSources,
    settingsFile,
    triedParts,
    findOllama: parts.findOllama ?? createOllamaFinder(),
    webhooks,
    pageFiles: options.pageFiles,
    ...(options.shared === undefined ? {} : { shared: options.shared }),
    version,
  };
  await store.organizations.upsert(defaultOrganization);
  return {
    deps,
    handle: await createApp(deps),
    async close() {
      eventLoop.stop();
      await backups.close();
      await ingest.close();
      await webhooks.close();
      questionLimit.close();
      await embedder.close();
      await models.configured?.close?.();
      await ingest.closeParser();
      await store.close();
      await tracer.close();
    },
  };
};

/** Everything that makes documents searchable: fetchers, parser, pipeline and queue. */
interface Ingest {
  queue: IngestQueue;
  work: IngestWork;
  pages: PageFetcher;
  builtinParser: FileParser;
  /** Stops the work on documents (they stay `pending`). */
  close(): Promise<void>;
  /** Ends the parser's processes. */
  closeParser(): Promise<void>;
}

interface IngestOptions {
  config: Config;
  log: Logger;
  store: Store;
  embedder: Embedder;
  quotas: Quotas;
  tracer: Tracer;
  /** Whom the server works for: told of documents here, of questions elsewhere. */
  tenants: RecentTenants;
  parts: Pick<Partial<Parts>, "parser" | "fetchUrl">;
}

const createIngest = ({ config, log, store, embedder, quotas, parts, tracer, tenants }: IngestOptions): Ingest => {
  const { maxDocumentBytes, concurrency } = config.ingest;
  const builtin = createBuiltinParser({
    timeoutMs: config.parser.timeoutMs,
    maxMemoryBytes: config.parser.maxMemoryBytes,
    maxPages: config.parser.maxPages,
    ocrLanguages: config.parser.ocrLanguages,
    ocrTimeoutMs: config.parser.ocrTimeoutMs,
    maxDocumentBytes,
    workerCommand: ownCommand("parse-worker", join(import.meta.dir, "../main.ts")),
    // As many files as may have a turn at being read.
    maxWorkers: 2 * concurrency,
  });
  const fetchUrl = parts.fetchUrl ?? createFetcher(config.fetch);
  const pages = createPageFetcher({ fetchUrl, pauseMs: config.scan.pauseMs });
  const untraced = createPipeline({
    store,
    fetchUrl,
    fetchPage: pages.fetchPage,
    parser: parts.parser ?? createConfiguredParser(config, builtin),
    embeddingFor: embedder.ingestModelFor,
    onPublished: embedder.documentsChanged,
    maxDocumentBytes,
    log,
  });
  const pipeline = tracedPipeline(untraced, tracer);
  const turns = createDocumentTurns(concurrency, tenants);
  const queue = createIngestQueue({ store, pipeline, turns, tracer, log });
  return {
    queue,
    work: createIngestWork({ store, pipeline, turns, ingest: queue, quotas, log }),
    pages,
    builtinParser: builtin,
    close: () => queue.close(),
    closeParser: () => builtin.close(),
  };
};
