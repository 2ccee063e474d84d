import pino from "pino";
import { defaultConfig } from "../../config/load.ts";
import { createVisitorLimits, type VisitorLimits } from "../access/visitor-limits.ts";
import { type QuestionDependencies, questionEndpoints } from "../answers/routes.ts";
import { auditEndpoints } from "../audit/routes.ts";
import type { Backups } from "../backup/backups.ts";
import { backupEndpoints } from "../backup/routes.ts";
import { chatEndpoints } from "../chats/routes.ts";
import { documentEndpoints } from "../documents/routes.ts";
import { pathPrefixOf } from "../domain/web-address.ts";
import type { Embedder } from "../embedder/embedder.ts";
import { embedderEndpoints } from "../embedder/routes.ts";
import { checkEndpoints, doctorEndpoints } from "../health/check-routes.ts";
import type { Checkup } from "../health/checkup.ts";
import { type HealthDependencies, healthEndpoints } from "../health/routes.ts";
import { createApiReference } from "../http/docs/api-reference.ts";
import type { Endpoint } from "../http/endpoint.ts";
import type { HttpDependencies } from "../http/frame.ts";
import { createRequestHandler, type RequestHandler } from "../http/handler.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { IngestWork } from "../ingest/work.ts";
import { keyEndpoints } from "../keys/routes.ts";
import { createMcpRoutes, type McpDependencies } from "../mcp/routes.ts";
import type { ModelStates } from "../models/observed-models.ts";
import { createOAuthRoutes, oauthChallenge } from "../oauth/routes.ts";
import { openAiEndpoints } from "../openai/routes.ts";
import { partitionEndpoints } from "../partitions/routes.ts";
import { portabilityEndpoints } from "../portability/routes.ts";
import { receiptEndpoints } from "../receipts/routes.ts";
import { createNotesRoute } from "../replication/reader-notes.ts";
import { sessionEndpoints } from "../sessions/routes.ts";
import { type SettingsDependencies, settingsEndpoints } from "../settings/routes.ts";
import type { PageFetcher } from "../sites/page-fetcher.ts";
import { siteScanEndpoints } from "../sites/routes.ts";
import type { LoadPageFiles } from "../web/page-files.ts";
import { createPageRoutes, siteEndpoints } from "../web/page-routes.ts";
import { webhookEndpoints } from "../webhooks/routes.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

/** The operations as declarations: to describe, not to call. Nothing is opened for them. */
export const declaredEndpoints = (): Endpoint[] =>
  allEndpoints({
    config: defaultConfig(),
    log: pino({ level: "silent" }),
    store: {},
    ingest: {},
    work: { store: {} },
    version: "",
  } as unknown as Dependencies);

/** Everything the routes need, built once when the server starts and passed on as plain arguments. */
export interface Dependencies
  extends HttpDependencies,
    HealthDependencies,
    QuestionDependencies,
    SettingsDependencies,
    McpDependencies {
  embedder: Embedder;
  modelStates: ModelStates;
  backups: Backups;
  checkup: Checkup;
  ingest: IngestQueue;
  /** Shared by the use cases that write documents. */
  work: IngestWork;
  /** Fetches the pages that scans find. */
  pages: PageFetcher;
  webhooks: Webhooks;
  /** Scripts and styles of the pages. */
  pageFiles: LoadPageFiles;
}

/** Every operation of the server. @param limits of visitors, which the pages share */
export const allEndpoints = (
  deps: Dependencies,
  limits: VisitorLimits = createVisitorLimits(deps.config.publicChats),
): Endpoint[] => [
  ...documentEndpoints(deps),
  ...siteScanEndpoints(deps),
  ...questionEndpoints(deps),
  ...openAiEndpoints(deps),
  ...chatEndpoints(deps, limits),
  ...receiptEndpoints(deps, limits),
  ...partitionEndpoints(deps),
  ...keyEndpoints(deps),
  ...sessionEndpoints(deps),
  ...embedderEndpoints(deps),
  ...backupEndpoints(deps),
  ...portabilityEndpoints(deps),
  ...webhookEndpoints(deps),
  ...auditEndpoints(deps),
  ...settingsEndpoints(deps),
  ...healthEndpoints(deps),
  ...doctorEndpoints(deps),
  ...checkEndpoints(deps),
  ...siteEndpoints(deps, limits),
];

/**
 * The whole server as a function from request to response. `listenerOptions` (listen.ts) serves it with
 * `Bun.serve`; `deps.lifecycle` reports when it is ready, and drains it.
 */
export const createApp = async (deps: Dependencies): Promise<RequestHandler> => {
  const limits = createVisitorLimits(deps.config.publicChats);
  const endpoints = allEndpoints(deps, limits);
  const reference = createApiReference(endpoints, deps.version, pathPrefixOf(deps.config.server.baseUrl));
  return createRequestHandler(endpoints, deps, [
    reference,
    createPageRoutes(deps, limits),
    createMcpRoutes(deps, deps.config.mcp.oauth ? oauthChallenge : () => "Bearer"),
    ...(deps.config.mcp.oauth ? [createOAuthRoutes(deps)] : []),
    ...(deps.shared?.sendOn === null ? [createNotesRoute(deps.store)] : []),
  ]);
};
