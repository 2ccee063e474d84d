import { defaultConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import type { WithEmbedder } from "../src/documents/document-json.ts";
import { createApiReference } from "../src/http/docs/api-reference.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import type { HttpDependencies } from "../src/http/frame.ts";
import { createRequestHandler } from "../src/http/handler.ts";
import { createLifecycle } from "../src/http/lifecycle.ts";
import type { Quotas } from "../src/limits/quotas.ts";
import { createRates } from "../src/limits/rates.ts";
import type { Logger } from "../src/log/log.ts";
import { createMetrics } from "../src/metrics/metrics.ts";
import { listenerOptions } from "../src/program/listen.ts";
import type { Store } from "../src/store/contract.ts";
import { noTracer } from "../src/tracing/tracer.ts";
import { atEnd } from "./at-end.ts";
import { issueKey, type KeyOptions } from "./issue-key.ts";
import { openTemporaryStore, silentLog, type TemporaryStoreOptions } from "./store/open-temporary-store.ts";

/** As with the static model alone: what is processed has its vectors. */
export const withoutModel: WithEmbedder["embedder"] = {
  haveVectors: async (documents) => documents.map(({ status }) => status === "processed"),
};

/** Everybody may store. */
export const withoutQuotas: Quotas = {
  reserve: async () => ({ settle: () => undefined }),
  noteChange: () => undefined,
};

interface ServeEndpointsOptions {
  endpoints(deps: HttpDependencies): Endpoint[];
  configure?(config: Config): void;
  log?: Logger;
  store?: TemporaryStoreOptions;
}

/** Some of the operations on a real listener over a real store. */
export interface EndpointServer {
  url: string;
  port: number;
  dataDir: string;
  deps: HttpDependencies;
  store: Store;
  /** Id of the organization `default`. */
  organizationId: string;
  key(options?: KeyOptions): Promise<string>;
  stop(): Promise<void>;
}

/**
 * The starter for tests of the HTTP kit, or of a few operations with parts of their own: see `startTestServer` for the
 * whole server. It is stopped with the test.
 */
export const serveEndpoints = async (options: ServeEndpointsOptions): Promise<EndpointServer> => {
  const log = options.log ?? silentLog;
  const { store, dataDir, dispose } = await openTemporaryStore(options.store);
  const config = structuredClone(defaultConfig());
  options.configure?.(config);
  const deps: HttpDependencies = {
    config,
    store,
    log,
    lifecycle: createLifecycle(),
    metrics: createMetrics(),
    rates: createRates({ settings: config, keyLimits: store.keyLimits }),
    tracer: noTracer,
  };
  const endpoints = options.endpoints(deps);
  const handle = createRequestHandler(endpoints, deps, [createApiReference(endpoints, "0.0.0-test", "")]);
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, ...listenerOptions(handle) });
  deps.lifecycle.ready();
  const port = server.port ?? 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    deps,
    store,
    organizationId: (await store.organizations.upsert("default")).id,
    key: (given) => issueKey(store, given),
    stop: atEnd(async () => {
      await server.stop(true);
      await dispose();
    }),
  };
};
