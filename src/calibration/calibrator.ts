import { pause } from "../async/pause.ts";
import type { Organization } from "../domain/records.ts";
import type { Logger } from "../log.ts";
import type { StoreCalibration } from "../retrieval/calibration/calibration.ts";
import { gateFeatureNames } from "../retrieval/calibration/feature-names.ts";
import { prior } from "../retrieval/gate-coefficients.ts";
import type { CalibrationRecord, Store } from "../store/contract.ts";
import { type CalibrateOptions, calibrateOrganization, ModelIsAway } from "./calibrate-organization.ts";
import { fittedWith, isOfThisGate } from "./fitted-with.ts";

/** The shortest time between two looks whether a store has grown; a look costs two cached counts for each organization. */
const usualLookEveryMs = 2_000;
/** Organizations looked at in one turn. */
const maxLooks = 200;
/** Fewer snippets say less than what the gate knows of other stores. */
export const minSnippets = 64;
/** While documents come in, a calibration that is due waits for a look that finds no more than the last, but not longer. */
const maxWaitMs = 60_000;
/**
 * An organization is calibrated again when it has this many times the snippets, or so many times fewer. Each calibration
 * takes about the same time, whatever the store's size.
 */
export const growth = 1.25;
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
  store: Pick<Store, "openSnippets" | "organizations" | "calibrations" | "searchable">;
  log: Logger;
  /** See `usualLookEveryMs`; shorter in tests. */
  lookEveryMs?: number;
}

export const createCalibrator = async (options: CalibratorOptions): Promise<Calibrator> => {
  const { store, log, lookEveryMs = usualLookEveryMs } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const isReadable = (record: CalibrationRecord): boolean =>
    isOfThisGate(record) && record.coefficients.length === gateFeatureNames.length && record.answerable.length > 0;
  const records = new Map((await store.calibrations.list()).map((record) => [record.organizationId, record]));
  /** Organizations whose calibration is due, since when, and how many snippets they had at the last look. */
  const waiting = new Map<string, { since: number; snippets: number }>();
  const leftAloneUntil = new Map<string, number>();
  let working: Promise<void> = Promise.resolve();
  let next = 0;
  /** Organizations looked at since the last change of what can be found. */
  let lookedAt = 0;
  let seenAtLook = -1;

  /** What a calibration depends on; with another one it says nothing. */
  const state = async ({ id }: Organization): Promise<{ fittedWith: string; snippets: number }> => {
    const view = store.openSnippets();
    try {
      const scope = { documentId: null, partitionId: null, metadata: null };
      const { snippets } = await view.count({ organizationId: id, partitionId: null }, scope);
      return { fittedWith: fittedWith(view), snippets };
    } finally {
      view.close();
    }
  };

  const isDue = (record: CalibrationRecord | undefined, now: { fittedWith: string; snippets: number }): boolean => {
    if (now.snippets < minSnippets) return false;
    if (record === undefined || record.fittedWith !== now.fittedWith) return true;
    return now.snippets >= growth * record.snippets || now.snippets * growth <= record.snippets;
  };

  const isStillGrowing = (id: string, snippets: number): boolean => {
    const before = waiting.get(id);
    const since = before?.since ?? performance.now();
    waiting.set(id, { since, snippets });
    return before?.snippets !== snippets && performance.now() - since < maxWaitMs;
  };

  /** Calibrates an organization if it is due. */
  const look = async (organization: Organization): Promise<void> => {
    const { id } = organization;
    if ((leftAloneUntil.get(id) ?? 0) > performance.now()) return;
    leftAloneUntil.delete(id);
    try {
      const now = await state(organization);
      if (!isDue(records.get(id), now)) return void waiting.delete(id);
      if (isStillGrowing(id, now.snippets)) return;
      const began = performance.now();
      const fitted = await calibrateOrganization(options, organization, signal);
      // A text that gives no question is asked again when it has grown; until then the prior counts.
      const { coefficients, answerable } = fitted?.calibration ?? prior;
      const record: CalibrationRecord = {
        organizationId: id,
        ...now,
        questions: fitted?.questions ?? 0,
        coefficients: [...coefficients],
        answerable: [...answerable],
        fittedAt: Date.now(),
      };
      await store.calibrations.put(record);
      records.set(id, record);
      waiting.delete(id);
      const ms = Math.round(performance.now() - began);
      log.debug({ organization: id, snippets: now.snippets, questions: record.questions, ms }, "refusal calibrated");
    } catch (error) {
      if (signal.aborted) return;
      leftAloneUntil.set(id, performance.now() + retryAfterMs);
      if (error instanceof ModelIsAway) log.debug({ organization: id }, `refusal not calibrated: ${error.message}`);
      else log.warn({ err: error, organization: id }, "refusal could not be calibrated");
    }
  };

  /** @returns whether each organization was looked at since the last change */
  const lookAtAll = async (): Promise<boolean> => {
    const organizations = await store.organizations.list();
    for (let looked = 0; looked < Math.min(maxLooks, organizations.length) && !signal.aborted; looked++) {
      const organization = organizations[next % organizations.length];
      next = (next + 1) % organizations.length;
      if (organization !== undefined) await look(organization);
    }
    lookedAt = Math.min(lookedAt + maxLooks, organizations.length);
    return lookedAt === organizations.length;
  };

  /** Milliseconds until an organization that failed may be tried again; null: none failed. */
  const untilRetryMs = (): number | null =>
    leftAloneUntil.size === 0 ? null : Math.max(0, Math.min(...leftAloneUntil.values()) - performance.now());

  /** Nothing is due: waits for a change, or until a failed one may be tried again. */
  const rest = async (seen: number): Promise<void> => {
    const done = new AbortController();
    const either = AbortSignal.any([signal, done.signal]);
    const retryMs = untilRetryMs();
    const retry = retryMs === null ? [] : [pause(retryMs, either)];
    await Promise.race([store.searchable.next(seen, either), ...retry]).finally(() => done.abort());
    lookedAt = 0;
  };

  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const seen = store.searchable.rings;
      if (seen !== seenAtLook) lookedAt = 0;
      seenAtLook = seen;
      const isWhole = await lookAtAll().catch((error: unknown) => {
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
