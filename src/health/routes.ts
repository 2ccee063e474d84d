import { Type } from "@sinclair/typebox";
import type { Embedder } from "../embedder/embedder.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import type { HttpDependencies } from "../http/frame.ts";
import { jsonResponse } from "../http/respond.ts";
import { choiceField } from "../http/schema/fields.ts";
import type { Logger } from "../log/log.ts";
import type { Readings } from "../metrics/reading-gauges.ts";
import type { ModelState, ModelStates } from "../models/observed-models.ts";
import type { Store } from "../store/contract.ts";

interface GaugeSources {
  store: Pick<Store, "condition" | "documents">;
  activeRequests: number;
  /** Left out: its metrics are left out. */
  embedder?: Pick<Embedder, "status"> | undefined;
  newestBackupAt?: (() => Promise<number | null>) | undefined;
  log: Pick<Logger, "warn">;
}

/** Reads the current values of the metrics. A value that cannot be read is null, and the others are still returned. */
const readGauges = async (sources: GaugeSources, now = Date.now()): Promise<Readings> => {
  const { store, embedder, newestBackupAt, log } = sources;
  const { condition } = store;
  const orNull = async <T>(what: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      log.warn({ err: error }, `${what} could not be read for the metrics`);
      return null;
    }
  };
  const [documents, oldestWaitMs, vectors, stored, disk, isWritable, backupAt] = await Promise.all([
    orNull("the documents", () => store.documents.countByStatus()),
    orNull("the queue", () => oldestWait(store, now)),
    embedder === undefined ? null : orNull("the embedder", () => vectorsOf(embedder)),
    orNull("the store", async () => ({
      rows: await condition.rows(),
      unindexedRows: await condition.unindexedRows(),
      bytes: await condition.bytes(),
    })),
    condition.disk(),
    orNull("the state of the store", async () => (await condition.whyReadOnly()) === null),
    newestBackupAt === undefined ? null : orNull("the backups", newestBackupAt),
  ]);
  const { activeRequests } = sources;
  return {
    activeRequests,
    documents,
    oldestWaitMs,
    vectors,
    store: stored,
    disk,
    isWritable,
    newestBackupAt: backupAt,
  };
};

const oldestWait = async ({ documents }: GaugeSources["store"], now: number): Promise<number> => {
  const [oldest] = await documents.listUnfinished(1);
  return oldest === undefined ? 0 : Math.max(0, now - oldest.updatedAt);
};

const vectorsOf = async (embedder: Pick<Embedder, "status">): Promise<Readings["vectors"]> => {
  const { pending, building, error } = await embedder.status();
  return {
    pendingSnippets: pending,
    isStalled: error !== null,
    building: building === null ? null : { done: building.done, total: building.total },
  };
};

/**
 * What a load balancer asks for. A model that cannot be reached does not make the server unready: full text still
 * answers.
 */
interface Readiness {
  /** `degraded`: requests are answered, but some stored data is damaged. */
  status: "ready" | "degraded" | "starting" | "draining" | "unready";
  /** Why it is `unready` or `degraded`; with `erasure_failed` alone it is ready. */
  problems: ("disk_full" | "not_writable" | "too_many_files" | "store_failed" | "erasure_failed" | "data_damaged")[];
  models: { use: "answer" | "embedding" | "reranker"; state: ModelState }[];
}

/** @param state of the process: the store is open and migrated once it is `ready` */
export const readinessOf = async (
  state: "starting" | "ready" | "draining",
  store: Pick<Store, "condition" | "damage">,
  models: Pick<ModelStates, "list"> | undefined,
): Promise<Readiness> => {
  const states = models?.list() ?? [];
  if (state !== "ready") return { status: state, problems: [], models: states };
  const problem = await store.condition.whyReadOnly().catch(() => "store_failed" as const);
  if (problem !== null) return { status: "unready", problems: [problem], models: states };
  const isDamaged = store.damage.list().length > 0;
  const isErased = store.condition.unerased().length === 0;
  return {
    status: isDamaged ? "degraded" : "ready",
    problems: [...(isDamaged ? (["data_damaged"] as const) : []), ...(isErased ? [] : (["erasure_failed"] as const))],
    models: states,
  };
};

const tag = "Operation";

const problemsField = Type.Array(
  choiceField(["disk_full", "not_writable", "too_many_files", "store_failed", "erasure_failed", "data_damaged"]),
  {
    description:
      "Why the server is `unready` or `degraded`. With `erasure_failed` alone it is ready: data that was deleted could not be erased from the disk yet; `carrel doctor` and the log say where.",
  },
);
const modelsField = Type.Array(
  Type.Object({
    use: choiceField(["answer", "embedding", "reranker"]),
    state: choiceField(["ok", "failing", "unknown"]),
  }),
  { description: "How the last call of each configured model ended; `unknown`: it was not called yet." },
);

export interface HealthDependencies extends HttpDependencies {
  embedder?: Embedder;
  /** How the last calls of the configured models ended. */
  modelStates?: ModelStates;
  /** When the newest backup was finished (epoch ms), null if there is none; left out if none are made. */
  newestBackupAt?: () => Promise<number | null>;
}

/** Health for process supervisors and load balancers, and metrics for Prometheus. */
export const healthEndpoints = ({
  store,
  lifecycle,
  metrics,
  log,
  embedder,
  modelStates,
  newestBackupAt,
}: HealthDependencies): Endpoint[] =>
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
      description:
        "200 once the server has started, its store is open and migrated, and writes are accepted; 503 while it starts or stops, and while the disk is full or cannot be written to, or no file can be opened (`unready`). `degraded`, with 200, where stored data is damaged that nothing can replace: the rest is served, and `carrel check` names it. A model that fails leaves the server ready: questions are answered without it. `models` tells how the last call of each configured model ended.",
      responses: {
        200: Type.Object(
          { status: choiceField(["ready", "degraded"]), problems: problemsField, models: modelsField },
          { $id: "Readiness", description: "The server accepts requests." },
        ),
        503: Type.Object(
          { status: choiceField(["starting", "draining", "unready"]), problems: problemsField, models: modelsField },
          {
            $id: "NotReady",
            description: "The server is starting or stopping, or it cannot write.",
            examples: [{ status: "unready", problems: ["disk_full"], models: [] }],
          },
        ),
      },
      errors: [],
      example: { response: { status: "ready", problems: [], models: [{ use: "answer", state: "ok" }] } },
      async handle() {
        const readiness = await readinessOf(lifecycle.state, store, modelStates);
        return jsonResponse(readiness, { status: ["ready", "degraded"].includes(readiness.status) ? 200 : 503 });
      },
    }),
    endpoint({
      method: "GET",
      path: "/metrics",
      operationId: "getMetrics",
      access: "admin",
      wholeServer: true,
      tag,
      summary: "Metrics for Prometheus",
      description:
        "With a key of role `admin` of the organization `default` that is not limited to a partition. What each metric means: docs/metrics.md.",
      responses: { 200: { mediaType: "text/plain", description: "Prometheus text format." } },
      errors: [],
      async handle() {
        const sources = { store, activeRequests: lifecycle.active, embedder, newestBackupAt, log };
        const text = await metrics.render(await readGauges(sources));
        return new Response(text, { headers: { "content-type": metrics.contentType } });
      },
    }),
  ] as Endpoint[];
