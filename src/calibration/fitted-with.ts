import { gateVersion } from "../retrieval/calibration/feature-names.ts";
import type { CalibrationRecord, SnippetView } from "../store/contract.ts";

/**
 * What a calibration depends on, as it is kept with it. Where this is another now, the calibration does not hold.
 * @param hearsModel whether it was fitted to the vectors of the configured model too
 */
export const fittedWith = (
  { index, vectorSet }: Pick<SnippetView, "index" | "vectorSet">,
  hearsModel: boolean,
): string => {
  const heard = [index, hearsModel ? vectorSet : null];
  const models = heard.map((each) => (each === null ? null : [each.provider, each.model]));
  return JSON.stringify([gateVersion, index.analysisVersion, ...models]);
};

/**
 * Whether a kept calibration is of the features that this version measures. One that was fitted to other models counts
 * until the next is made; one of other features would weigh the wrong numbers.
 */
export const isOfThisGate = ({ fittedWith: kept }: Pick<CalibrationRecord, "fittedWith">): boolean =>
  kept.startsWith(`[${gateVersion},`);
