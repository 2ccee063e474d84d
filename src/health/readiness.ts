import type { ModelState, ModelStates } from "../models/model-states.ts";
import type { Store } from "../store/contract.ts";

/**
 * What a load balancer asks for. A model that cannot be reached does not make the server unready: full text still
 * answers.
 */
export interface Readiness {
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
