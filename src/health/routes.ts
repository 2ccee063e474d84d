import { Type } from "@sinclair/typebox";
import type { HttpDependencies } from "../http/dependencies.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse } from "../http/respond.ts";
import { choiceField } from "../http/schema/fields.ts";

const tag = "Operation";

/** Health for process supervisors and load balancers, and metrics for Prometheus. */
export const healthEndpoints = ({ store, lifecycle, metrics }: HttpDependencies): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/health/live",
      operationId: "getLiveness",
      access: "open",
      tag,
      summary: "Whether the process runs",
      responses: { 200: Type.Object({ status: Type.Literal("live") }) },
      errors: [],
      example: { response: { status: "live" } },
      handle: () => ({ status: "live" }),
    }),
    endpoint({
      method: "GET",
      path: "/health/ready",
      operationId: "getReadiness",
      access: "open",
      tag,
      summary: "Whether the server accepts requests",
      description: "200 once the server has started; 503 while it starts and while it stops.",
      responses: {
        200: Type.Object({ status: Type.Literal("ready") }),
        503: Type.Object(
          { status: choiceField(["starting", "draining"]) },
          { description: "The server is starting or stopping.", examples: [{ status: "starting" }] },
        ),
      },
      errors: [],
      example: { response: { status: "ready" } },
      handle: () => jsonResponse({ status: lifecycle.state }, { status: lifecycle.state === "ready" ? 200 : 503 }),
    }),
    endpoint({
      method: "GET",
      path: "/metrics",
      operationId: "getMetrics",
      access: "admin",
      wholeOrganization: true,
      tag,
      summary: "Metrics for Prometheus",
      description: "With a key of role `admin` that is not limited to a partition.",
      responses: { 200: { mediaType: "text/plain", description: "Prometheus text format." } },
      errors: ["key_limited"],
      async handle() {
        const documents = await store.documents.countByStatus();
        const text = await metrics.render({ documents, activeRequests: lifecycle.active });
        return new Response(text, { headers: { "content-type": metrics.contentType } });
      },
    }),
  ] as Endpoint[];
