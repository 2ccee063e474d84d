import { questionEndpoints } from "./answers/routes.ts";
import { auditEndpoints } from "./audit/routes.ts";
import { backupEndpoints } from "./backup/routes.ts";
import { chatEndpoints } from "./chats/routes.ts";
import { createVisitorLimits, type VisitorLimits } from "./chats/visitor-limits.ts";
import type { Dependencies } from "./dependencies.ts";
import { documentEndpoints } from "./documents/routes.ts";
import { pathPrefixOf } from "./domain/path-prefix.ts";
import { embedderEndpoints } from "./embedder/routes.ts";
import { checkEndpoints } from "./health/check-routes.ts";
import { doctorEndpoints } from "./health/doctor-routes.ts";
import { healthEndpoints } from "./health/routes.ts";
import { createApiReference } from "./http/docs/api-reference.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { createRequestHandler, type RequestHandler } from "./http/handler.ts";
import { keyEndpoints } from "./keys/routes.ts";
import { createMcpRoutes } from "./mcp/routes.ts";
import { createOAuthRoutes, oauthChallenge } from "./oauth/routes.ts";
import { openAiEndpoints } from "./openai/routes.ts";
import { partitionEndpoints } from "./partitions/routes.ts";
import { portabilityEndpoints } from "./portability/routes.ts";
import { receiptEndpoints } from "./receipts/routes.ts";
import { sessionEndpoints } from "./sessions/routes.ts";
import { settingsEndpoints } from "./settings/routes.ts";
import { siteScanEndpoints } from "./sites/routes.ts";
import { createPageRoutes } from "./web/page-routes.ts";
import { siteEndpoints } from "./web/site-endpoints.ts";
import { webhookEndpoints } from "./webhooks/routes.ts";

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
 * The whole server as a function from request to response. `listenerOptions` (src/http/listener.ts) serves it with
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
  ]);
};
