import { defaultConfig } from "../../config/load.ts";
import type { Config } from "../../config/schema.ts";
import { createIngestWork } from "../../src/documents/ingest/ingest-work.ts";
import type { Role, Tenant } from "../../src/domain/records.ts";
import { healthEndpoints } from "../../src/health/routes.ts";
import type { HttpDependencies } from "../../src/http/dependencies.ts";
import { createApiReference } from "../../src/http/docs/api-reference.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { createRequestHandler } from "../../src/http/handler.ts";
import { createLifecycle } from "../../src/http/lifecycle.ts";
import { listenerOptions } from "../../src/http/listener.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import type { IngestPipeline } from "../../src/ingest/contract.ts";
import { createDocumentTurns } from "../../src/ingest/prepare/document-turn.ts";
import type { IngestQueue } from "../../src/ingest/work/queue.ts";
import { createKey } from "../../src/keys/create-key.ts";
import { keyEndpoints } from "../../src/keys/routes.ts";
import type { Logger } from "../../src/log.ts";
import { partitionEndpoints } from "../../src/partitions/routes.ts";
import { siteEndpoints } from "../../src/web/site-endpoints.ts";
import { openTemporaryStore, silentLog } from "../store/open-temporary-store.ts";

export interface StartAppOptions {
  /** Operations beside those of keys, partitions, health and pages. */
  endpoints?: (deps: HttpDependencies) => Endpoint[];
  configure?: (config: Config) => void;
  log?: Logger;
}

/** The HTTP kit on a real listener over a real store, with keys of each role in one organization. */
export async function startApp(options: StartAppOptions = {}) {
  const temporary = await openTemporaryStore();
  const { store } = temporary;
  const config = structuredClone(defaultConfig());
  options.configure?.(config);
  const deps: HttpDependencies = {
    config,
    store,
    log: options.log ?? silentLog,
    lifecycle: createLifecycle(),
    metrics: createMetrics(),
  };
  // No work runs here that would have to be called off.
  const ingest = {
    exclusively: <T>(_tenant: Tenant, _id: string, work: () => Promise<T>) => work(),
    notify: () => {},
  } as unknown as IngestQueue;
  const work = createIngestWork({ ...deps, ingest, pipeline: {} as IngestPipeline, turns: createDocumentTurns(1) });
  const endpoints = [
    ...keyEndpoints(deps),
    ...partitionEndpoints({ ...deps, ingest, work }),
    ...healthEndpoints(deps),
    ...siteEndpoints("0.0.0-test"),
    ...(options.endpoints?.(deps) ?? []),
  ];
  const handle = createRequestHandler(endpoints, deps, await createApiReference(endpoints, "0.0.0-test"));
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, ...listenerOptions(handle) });
  const url = `http://127.0.0.1:${server.port}`;
  deps.lifecycle.ready();

  const issue = async (organization: string, role: Role, partitionId: string | null = null): Promise<string> => {
    const { id } = await store.organizations.upsert(organization);
    const tenant = { organizationId: id, partitionId: null };
    const input = { name: `${role} of ${organization}`, role, userId: `${role}-user`, partitionId, expiresAt: null };
    return (await createKey(store, tenant, input)).key;
  };
  const keys = {
    admin: await issue("default", "admin"),
    writer: await issue("default", "writer"),
    reader: await issue("default", "reader"),
  };
  const organizationId = (await store.organizations.upsert("default")).id;

  return {
    url,
    port: server.port ?? 0,
    deps,
    store,
    keys,
    organizationId,
    issue,
    /** A request with a key (admin where none is named; null: without) and a JSON body. */
    async call(
      method: string,
      path: string,
      { key = keys.admin as string | null, json, ...init }: RequestInit & { key?: string | null; json?: unknown } = {},
    ): Promise<Response> {
      const headers = new Headers(init.headers);
      if (key !== null) headers.set("authorization", `Bearer ${key}`);
      if (json !== undefined) headers.set("content-type", "application/json");
      return fetch(url + path, {
        ...init,
        method,
        headers,
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
    },
    async stop() {
      await server.stop(true);
      await temporary.dispose();
    },
  };
}

/** Status and body of an answer; the request id, which differs each time, becomes `<id>`. */
export async function answerOf(response: Response): Promise<{ status: number; body: unknown }> {
  const text = await response.text();
  const id = response.headers.get("x-request-id");
  return { status: response.status, body: text === "" ? "" : JSON.parse(id ? text.replaceAll(id, "<id>") : text) };
}

/** Status and code of an error answer. */
export async function codeOf(response: Response): Promise<[status: number, code: string]> {
  return [response.status, ((await response.json()) as { code: string }).code];
}
