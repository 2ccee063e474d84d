import type { ModelState, ModelStates } from "../models/model-states.ts";
import type { Store } from "../store/contract.ts";

/**
 * What a load balancer asks for. A model that cannot be reached does not make the server unready: full text still
 * answers.
 */
export interface Readiness {
  status: "ready" | "starting" | "draining" | "unready";
  /** Why it is `unready`; with `erasure_failed` it is ready. */
  problems: ("disk_full" | "not_writable" | "too_many_files" | "store_failed" | "erasure_failed")[];
  models: { use: "answer" | "embedding" | "reranker"; state: ModelState }[];
}

/** @param state of the process: the store is open and migrated once it is `ready` */
export const readinessOf = async (
  state: "starting" | "ready" | "draining",
  store: Pick<Store, "condition">,
  models: Pick<ModelStates, "list"> | undefined,
): Promise<Readiness> => {
  const states = models?.list() ?? [];
  if (state !== "ready") return { status: state, problems: [], models: states };
  const problem = await store.condition.whyReadOnly().catch(() => "store_failed" as const);
  if (problem !== null) return { status: "unready", problems: [problem], models: states };
  const isErased = store.condition.unerased().length === 0;
  return { status: "ready", problems: isErased ? [] : ["erasure_failed"], models: states };
};
