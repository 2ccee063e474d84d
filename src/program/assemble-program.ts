import type { Config } from "../../config/schema.ts";
import type { SettingSources } from "../../config/sources.ts";
import { createBackups } from "../backup/backups.ts";
import { newestBackup, newestBackupAt } from "../backup/newest-backup.ts";
import { examine } from "../doctor/examine.ts";
import { defaultOrganization } from "../domain/ids.ts";
import { version } from "../domain/version.ts";
import { createEmbedder } from "../embedder/embedder.ts";
import { createCheckup } from "../health/checkup.ts";
import { watchEventLoop } from "../http/event-loop.ts";
import type { RequestHandler } from "../http/handler.ts";
import { createLifecycle } from "../http/lifecycle.ts";
import { createRecentTenants } from "../ingest/prepare/document-turn.ts";
import { createQuotas, watchRemovals } from "../limits/quotas.ts";
import { createRates } from "../limits/rates.ts";
import type { Logger } from "../log/log.ts";
import { createMetrics } from "../metrics/metrics.ts";
import type { CheckedModels } from "../models/check/check-models.ts";
import { createKeepReceipt, keptMs } from "../receipts/keep-receipt.ts";
import { createQuestionLimit } from "../retrieval/question-limit.ts";
import { createRetriever } from "../retrieval/retrieve.ts";
import type { EmbeddedParts } from "../runtime/embedded-parts.ts";
import { createOllamaFinder } from "../settings/answer-model.ts";
import type { Store } from "../store/contract.ts";
import { analysisVersion } from "../text/analysis/analyze.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { LoadPageFiles } from "../web/page-files.ts";
import { configuredEndpoints } from "../webhooks/endpoint.ts";
import { createWebhooks } from "../webhooks/webhooks.ts";
import { createApp, type Dependencies } from "./app.ts";
import { createIngest } from "./create-ingest.ts";
import { type Models, observeModels } from "./create-models.ts";
import { listenerAddress } from "./listen.ts";
import type { Parts } from "./parts.ts";

/** All of Carrel except its listeners: the store is open, requests are answered, no background work runs yet. */
export interface OpenProgram {
  deps: Dependencies;
  handle: RequestHandler;
  /** Stops the work on documents (they stay `pending`) and closes the store. */
  close(): Promise<void>;
}

interface AssemblyOptions {
  config: Config;
  log: Logger;
  store: Store;
  models: Models;
  tracer: Tracer;
  /** The configured models, to be tried separately. */
  checkedModels: CheckedModels;
  settingSources: SettingSources;
  settingsFile: string | null;
  embedded: EmbeddedParts | null;
  parts: Partial<Parts>;
  pageFiles: LoadPageFiles;
}

/** A caller waits for what the server finds about itself. */
const maxOwnCheckMs = 30_000;

/** Builds everything on an open store: the one place where the parts meet. */
export const assembleProgram = async (options: AssemblyOptions): Promise<OpenProgram> => {
  const { config, log, parts, tracer } = options;
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
        settingsFile: options.settingsFile,
        env: process.env,
        embedded: options.embedded,
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
    meaningModel: models.configured?.provider === "builtin" ? models.configured : null,
    ...(keptMs(config.receipts) === 0 ? {} : { keepReceipt: createKeepReceipt(store.receipts) }),
    embedder,
    backups,
    checkup,
    newestBackupAt: () => newestBackupAt(config.dataDir),
    ingest: ingest.queue,
    work: ingest.work,
    pages: ingest.pages,
    settingSources: options.settingSources,
    settingsFile: options.settingsFile,
    triedParts,
    findOllama: parts.findOllama ?? createOllamaFinder(),
    webhooks,
    pageFiles: options.pageFiles,
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
