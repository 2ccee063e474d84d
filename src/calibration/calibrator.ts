import { pause } from "../async/pause.ts";
import { ringOrPause } from "../async/ring-or-pause.ts";
import type { Organization } from "../domain/records.ts";
import type { Logger } from "../log.ts";
import type { StoreCalibration } from "../retrieval/calibration/calibration.ts";
import { gateFeatureNames } from "../retrieval/calibration/feature-names.ts";
import { prior } from "../retrieval/gate-coefficients.ts";
import type { CalibrationRecord, Store } from "../store/contract.ts";
import { type CalibrateOptions, calibrateOrganization, ModelIsAway } from "./calibrate-organization.ts";
import { type Basis, basisOf, createWaiting, isDue } from "./due.ts";
import { isOfThisGate } from "./fitted-with.ts";
import { createLeftAlone } from "./left-alone.ts";
import { createRounds } from "./rounds.ts";

/** The shortest time between two looks whether a store has grown; a look costs two cached counts for each organization. */
const usualLookEveryMs = 2_000;
/** How long an organization is left alone after a failure. */
const retryAfterMs = 300_000;

/** Keeps the calibrations of the organizations up to date, in the background. */
export interface Calibrator {
  /** What the gate learned of an organization; null: nothing yet. */
  of(organizationId: string): StoreCalibration | null;
  start(): void;
  close(): Promise<void>;
}

export interface CalibratorOptions extends CalibrateOptions {
  store: Pick<Store, "openSnippets" | "organizations" | "calibrations" | "searchable" | "vectors">;
  log: Logger;
  /** See `usualLookEveryMs`; shorter in tests. */
  lookEveryMs?: number;
}

const isReadable = (record: CalibrationRecord): boolean =>
  isOfThisGate(record) && record.coefficients.length === gateFeatureNames.length && record.answerable.length > 0;

/** @param fitted null: its text gives no question; it is asked again when it has grown, and until then the prior counts */
const recordOf = (
  organizationId: string,
  { fittedWith, snippets }: Basis,
  fitted: Awaited<ReturnType<typeof calibrateOrganization>>,
): CalibrationRecord => {
  const { coefficients, answerable } = fitted?.calibration ?? prior;
  return {
    organizationId,
    fittedWith,
    snippets,
    questions: fitted?.questions ?? 0,
    coefficients: [...coefficients],
    answerable: [...answerable],
    fittedAt: Date.now(),
  };
};

export const createCalibrator = async (options: CalibratorOptions): Promise<Calibrator> => {
  const { store, log, lookEveryMs = usualLookEveryMs } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const records = new Map((await store.calibrations.list()).map((record) => [record.organizationId, record]));
  const waiting = createWaiting();
  const leftAlone = createLeftAlone(retryAfterMs);
  let working: Promise<void> = Promise.resolve();

  const calibrate = async (organization: Organization, now: Basis): Promise<void> => {
    const { id } = organization;
    const began = performance.now();
    const record = recordOf(id, now, await calibrateOrganization(options, organization, now, signal));
    await store.calibrations.put(record);
    records.set(id, record);
    waiting.remove(id);
    const ms = Math.round(performance.now() - began);
    log.debug({ organization: id, snippets: now.snippets, questions: record.questions, ms }, "refusal calibrated");
  };

  /** Calibrates an organization if it is due. */
  const look = async (organization: Organization): Promise<void> => {
    const { id } = organization;
    if (leftAlone.has(id)) return;
    try {
      const now = await basisOf(store, organization, records.get(id));
      if (!isDue(records.get(id), now)) waiting.remove(id);
      else if (!waiting.hasToWait(id, now.snippets)) await calibrate(organization, now);
    } catch (error) {
      if (signal.aborted) return;
      leftAlone.add(id);
      if (error instanceof ModelIsAway) log.debug({ organization: id }, `refusal not calibrated: ${error.message}`);
      else log.warn({ err: error, organization: id }, "refusal could not be calibrated");
    }
  };
  const rounds = createRounds(store, look, signal);

  /** Nothing is due: waits for a change, or until a failed one may be tried again. */
  const rest = async (seen: number): Promise<void> => {
    await ringOrPause(store.searchable, seen, leftAlone.untilRetryMs(), signal);
    rounds.begin();
  };

  const work = async (): Promise<void> => {
    let seenBefore = store.searchable.rings;
    while (!signal.aborted) {
      const seen = store.searchable.rings;
      if (seen !== seenBefore) rounds.begin();
      seenBefore = seen;
      const isWhole = await rounds.goOn().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, "looking for calibrations that are due failed");
        return false;
      });
      await pause(lookEveryMs, signal);
      if (isWhole && waiting.size === 0 && !signal.aborted) await rest(seen);
    }
  };

  return {
    of(organizationId) {
      const record = records.get(organizationId);
      return record === undefined || !isReadable(record) ? null : record;
    },
    start() {
      working = work();
    },
    async close() {
      closing.abort(new Error("the server is stopping"));
      await working;
    },
  };
};
