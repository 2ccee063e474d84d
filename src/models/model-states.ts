import { ProviderError } from "../../providers/contract.ts";
import type { ModelUse } from "../metrics/model-metrics.ts";

/** `unknown`: not called yet. `failing`: its last call failed, and not because of what was asked. */
export type ModelState = "ok" | "failing" | "unknown";

/** How the last call of each configured model ended. No model is called to find out. */
export interface ModelStates {
  note(use: ModelUse, error?: unknown): void;
  /** What the check at the start found; a call since then counts more. */
  noteCheck(use: ModelUse, isUsable: boolean): void;
  /** The models that are configured; built-in ones that cannot fail are left out. */
  list(): { use: ModelUse; state: ModelState }[];
}

/** Failures that say nothing about the model: the caller left, or sent too much. */
const ofTheCall = new Set(["aborted", "too_long"]);

export const createModelStates = (configured: readonly ModelUse[]): ModelStates => {
  const states = new Map<ModelUse, ModelState>(configured.map((use) => [use, "unknown"]));
  return {
    note(use, error) {
      if (!states.has(use)) return;
      if (error === undefined) states.set(use, "ok");
      else if (error instanceof ProviderError && !ofTheCall.has(error.kind)) states.set(use, "failing");
    },
    noteCheck(use, isUsable) {
      if (states.get(use) === "unknown") states.set(use, isUsable ? "ok" : "failing");
    },
    list: () => [...states].map(([use, state]) => ({ use, state })),
  };
};
