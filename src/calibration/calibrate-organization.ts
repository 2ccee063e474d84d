import { pause } from "../async/pause.ts";
import type { Organization, Tenant } from "../domain/records.ts";
import type { Calibration } from "../retrieval/calibration/calibration.ts";
import { type CalibrationExample, fitCalibration } from "../retrieval/calibration/fit-calibration.ts";
import type { Examine } from "../retrieval/retrieve.ts";
import type { Store } from "../store/contract.ts";
import type { Basis } from "./due.ts";
import { gatherQuestions } from "./gather-questions.ts";

/**
 * While requests are answered it pauses for so many times as long as it worked, but no longer than this. A question
 * made of a hostile text costs much, and those that somebody asks wait for it.
 */
const pausePerWork = 9;
const maxPauseMs = 5_000;
/** Without requests it still leaves half of the time to other background work. */
const minPauseMs = 2;

export interface CalibrateOptions {
  store: Pick<Store, "openSnippets">;
  examine: Examine;
  /** True while requests are answered. */
  isBusy(): boolean;
}

/** The configured embedding model failed under a question: what was seen so far says nothing of its vectors. */
export class ModelIsAway extends Error {
  override readonly name = "ModelIsAway";
}

/**
 * Learns from an organization's own text what questions look like that it answers, and that it does not: asks questions
 * made from its sentences, each with all documents there and without its own. One question at a time, with pauses.
 * @param basis says whether the configured model is asked: while its vectors are made it has enough to do
 * @returns null if its text gives no question
 * @throws ModelIsAway; the signal's reason
 */
export const calibrateOrganization = async (
  { store, examine, isBusy }: CalibrateOptions,
  { id }: Pick<Organization, "id">,
  { hearsModel }: Pick<Basis, "hearsModel">,
  signal: AbortSignal,
): Promise<{ calibration: Calibration; questions: number } | null> => {
  const tenant: Tenant = { organizationId: id, partitionId: null };
  const view = store.openSnippets();
  const questions = await gatherQuestions(view, tenant, signal).finally(() => view.close());
  const examples: CalibrationExample[] = [];
  for (const { text, sources } of questions) {
    signal.throwIfAborted();
    const began = performance.now();
    const { withAll, without, isWhole } = await examine(tenant, { text, leftOut: sources, hearsModel }, signal);
    if (!isWhole) throw new ModelIsAway("the embedding model failed under a question of the calibration");
    if (withAll !== null) examples.push({ features: withAll, isThere: true });
    if (without !== null) examples.push({ features: without, isThere: false });
    const workedMs = performance.now() - began;
    await pause(isBusy() ? Math.min(Math.max(pausePerWork * workedMs, minPauseMs), maxPauseMs) : minPauseMs, signal);
    signal.throwIfAborted();
  }
  return examples.length === 0
    ? null
    : { calibration: fitCalibration(examples, hearsModel), questions: questions.length };
};
