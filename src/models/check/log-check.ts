import type { Logger } from "../../log/log.ts";
import type { ModelStates } from "../model-states.ts";
import { checkModels } from "./check-models.ts";
import type { CheckedModels } from "./checked-models.ts";

/**
 * The check of `carrel models`, during a start: problems are logged, and nothing waits for it. Never throws.
 * @param states receives what was found
 */
export const logModelCheck = async (
  checked: CheckedModels,
  log: Logger,
  signal: AbortSignal,
  states: Pick<ModelStates, "noteCheck">,
): Promise<void> => {
  const reports = await checkModels(checked, signal).catch((error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, "the models could not be checked");
    return [];
  });
  if (signal.aborted) return;
  for (const { use, problems, warnings } of reports) {
    states.noteCheck(use, problems.length === 0);
    for (const words of [...problems, ...warnings]) log.warn({ use }, `${words} (see \`carrel models\`)`);
  }
};
