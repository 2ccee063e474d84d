import type { Organization, VectorSetInfo } from "../domain/records.ts";
import { type CalibrationRecord, type Store, wholeTenant } from "../store/contract.ts";
import { fittedWith } from "./fitted-with.ts";

/** Fewer snippets say less than what the gate knows of other stores. */
export const minSnippets = 64;
/**
 * An organization is calibrated again when it has this many times the snippets, or so many times fewer. Each calibration
 * takes about the same time, whatever the store's size.
 */
export const growth = 1.25;
/** While documents come in, a calibration that is due waits for a look that finds no more than the last, but not longer. */
const maxWaitMs = 60_000;

/**
 * The part of the snippets that have vectors of the configured model from which on the gate hears it, and down to which it
 * goes on. Questions made while few have them would tell how few there are, not how well the model tells them apart.
 */
const heardShare = { from: 0.9, downTo: 0.5 };

/** What a calibration is fitted to: the models and the analysis, and how much text. */
export interface Basis extends Pick<CalibrationRecord, "fittedWith" | "snippets"> {
  /** Whether the vectors of the configured model are heard. */
  hearsModel: boolean;
}

type BasisStore = Pick<Store, "openSnippets"> & {
  vectors: Pick<Store["vectors"], "active" | "building" | "pendingSnippets">;
};

/** @param record of the last calibration; undefined: there is none */
export const basisOf = async (
  store: BasisStore,
  { id }: Pick<Organization, "id">,
  record: CalibrationRecord | undefined,
): Promise<Basis> => {
  const view = store.openSnippets();
  try {
    const { snippets } = await view.count({ organizationId: id, partitionId: null }, wholeTenant);
    const wasHeard = record?.fittedWith === fittedWith(view, true);
    const least = wasHeard ? heardShare.downTo : heardShare.from;
    const { vectorSet } = view;
    const hearsModel = vectorSet !== null && (await vectorShare(store.vectors, vectorSet, id, snippets)) >= least;
    return { fittedWith: fittedWith(view, hearsModel), snippets, hearsModel };
  } finally {
    view.close();
  }
};

/** The part of an organization's snippets that have vectors in the searched set. A set that another one is to replace was whole. */
const vectorShare = async (
  vectors: BasisStore["vectors"],
  searched: VectorSetInfo,
  organizationId: string,
  snippets: number,
): Promise<number> => {
  const filled = vectors.building() ?? vectors.active();
  if (filled?.id !== searched.id || snippets === 0) return 1;
  return 1 - (await vectors.pendingSnippets(organizationId)) / snippets;
};

/** @param record of the last calibration; undefined: there is none */
export const isDue = (record: CalibrationRecord | undefined, now: Basis): boolean => {
  if (now.snippets < minSnippets) return false;
  if (record === undefined || record.fittedWith !== now.fittedWith) return true;
  return now.snippets >= growth * record.snippets || now.snippets * growth <= record.snippets;
};

/** Organizations whose calibration is due, and waits until no more documents come in. */
export interface Waiting {
  readonly size: number;
  /** Whether it has to wait: it has more or fewer snippets than at the last look, and has not waited long. */
  hasToWait(organizationId: string, snippets: number): boolean;
  remove(organizationId: string): void;
}

export const createWaiting = (): Waiting => {
  /** Since when they are due, and how many snippets they had at the last look. */
  const waiting = new Map<string, { since: number; snippets: number }>();
  return {
    get size() {
      return waiting.size;
    },
    hasToWait(id, snippets) {
      const before = waiting.get(id);
      const since = before?.since ?? performance.now();
      waiting.set(id, { since, snippets });
      return before?.snippets !== snippets && performance.now() - since < maxWaitMs;
    },
    remove: (id) => void waiting.delete(id),
  };
};
