import { type Estimate, estimateGrouped } from "./estimates.ts";
import { conformalThreshold, shareBelow } from "./refusal.ts";

/** A question that was asked of the documents that can answer it and of others. */
export interface Asked {
  /** Of near-duplicate documents, from one of which it is made. */
  group: number;
  /** Of the documents: the one that can answer it. */
  half: number;
  /** Threshold above which it is refused when its document is there, and when it is not. */
  answerable: number;
  unanswerable: number;
}

export interface CurvePoint {
  threshold: number;
  /** Part of the questions that are refused although their document is there. */
  falseRefusals: number;
  /** Part of the questions that are refused because their document is not there. */
  trueRefusals: number;
}

/** What is refused of the answerable questions and of the others, with intervals. */
export interface RefusalRates {
  falseRefusals: Estimate;
  trueRefusals: Estimate;
}

const curveThresholds = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/** Both shares at several thresholds. */
export const curveOf = (asked: readonly Asked[]): CurvePoint[] => curveThresholds.map((each) => pointAt(asked, each));

const pointAt = (asked: readonly Asked[], threshold: number): CurvePoint => ({
  threshold,
  falseRefusals: shareBelow(
    asked.map(({ answerable }) => answerable),
    threshold,
  ),
  trueRefusals: shareBelow(
    asked.map(({ unanswerable }) => unanswerable),
    threshold,
  ),
});

/** Each question against the threshold fitted to the other half's questions. */
export const heldOutOf = (asked: readonly Asked[], allowed: number): RefusalRates => {
  const fitted = [0, 1].map((half) =>
    conformalThreshold(
      asked.filter((each) => each.half !== half).map(({ answerable }) => answerable),
      allowed,
    ),
  );
  return refusedAt(asked, ({ half }) => fitted[half] ?? 0);
};

/** What is refused of each kind, by a threshold for each question. */
export const refusedAt = (asked: readonly Asked[], threshold: (each: Asked) => number): RefusalRates => {
  const groups = asked.map(({ group }) => group);
  const refused = (value: (each: Asked) => number) =>
    estimateGrouped(
      asked.map((each) => (value(each) < threshold(each) ? 1 : 0)),
      groups,
    );
  return { falseRefusals: refused(({ answerable }) => answerable), trueRefusals: refused((each) => each.unanswerable) };
};
