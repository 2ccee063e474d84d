import type { Config } from "../../config/schema.ts";
import { createVisitorLimits } from "../../src/access/visitor-limits.ts";
import type { Role, Tenant } from "../../src/domain/records.ts";
import { healthEndpoints } from "../../src/health/routes.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import type { HttpDependencies } from "../../src/http/frame.ts";
import type { IngestPipeline } from "../../src/ingest/prepare/contract.ts";
import { createDocumentTurns } from "../../src/ingest/prepare/document-turn.ts";
import type { IngestQueue } from "../../src/ingest/queue/queue.ts";
import { createIngestWork } from "../../src/ingest/work.ts";
import { keyEndpoints } from "../../src/keys/routes.ts";
import type { Logger } from "../../src/log/log.ts";
import { partitionEndpoints } from "../../src/partitions/routes.ts";
import { siteEndpoints } from "../../src/web/page-routes.ts";
import { type CallOptions, sendRequest } from "../call-server.ts";
import { serveEndpoints, withoutQuotas } from "../serve-endpoints.ts";

interface StartAppOptions {
  /** Operations besides those of keys, partitions, health and pages. */
  endpoints?: (deps: HttpDependencies) => Endpoint[];
  configure?: (config: Config) => void;
  log?: Logger;
}

/** Operations that need no documents (`serveEndpoints`), with keys of each role in one organization. */
export const startApp = async ({ endpoints = () => [], ...options }: StartAppOptions = {}) => {
  // No work runs here that would have to be canceled.
  const ingest = {
    exclusively: <T>(_tenant: Tenant, _id: string, work: () => Promise<T>) => work(),
    notify: () => {},
  } as unknown as IngestQueue;
  const server = await serveEndpoints({
    ...options,
    endpoints: (deps) => [
      ...keyEndpoints(deps),
      ...partitionEndpoints({
        ...deps,
        ingest,
        work: createIngestWork({
          ...deps,
          ingest,
          quotas: withoutQuotas,
          pipeline: {} as IngestPipeline,
          turns: createDocumentTurns(1),
        }),
      }),
      ...healthEndpoints(deps),
      ...siteEndpoints(
        { ...deps, pageFiles: () => Promise.reject(new Error("no pages in this test")) },
        createVisitorLimits(deps.config.publicChats),
      ),
      ...endpoints(deps),
    ],
  });
  const issue = (organization: string, role: Role, partitionId: string | null = null): Promise<string> =>
    server.key({ organization, role, partitionId, userId: `${role}-user`, name: `${role} of ${organization}` });
  const keys = {
    admin: await issue("default", "admin"),
    writer: await issue("default", "writer"),
    reader: await issue("default", "reader"),
  };
  return {
    ...server,
    keys,
    issue,
    /** `sendRequest`, with the admin key where none is named. */
    call: (method: string, path: string, { key = keys.admin, ...options }: CallOptions = {}): Promise<Response> =>
      sendRequest(server.url, method, path, { key, ...options }),
  };
};

/** Status and body of an answer; the request id, which differs each time, becomes `<id>`. */
export const answerOf = async (response: Response): Promise<{ status: number; body: unknown }> => {
  const text = await response.text();
  const id = response.headers.get("x-request-id");
  return { status: response.status, body: text === "" ? "" : JSON.parse(id ? text.replaceAll(id, "<id>") : text) };
};
