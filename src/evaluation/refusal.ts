import { createRandom, type Estimate, percentileInterval, resamples } from "./estimates.ts";

interface RefusalFigures {
  /** Threshold on the confidence at which at most the allowed part of the answerable questions is refused. */
  threshold: number;
  falseRefusals: number;
  /** Part of the unanswerable questions refused at that threshold. */
  refused: number;
}

/** What a gate does at the largest threshold that refuses at most `allowed` of the questions that have an answer. */
export const refusalAt = (
  answerable: readonly number[],
  unanswerable: readonly number[],
  allowed: number,
): RefusalFigures => {
  const sorted = [...answerable].sort((a, b) => a - b);
  const threshold = sorted[Math.floor(allowed * sorted.length)] ?? 1;
  return {
    threshold,
    falseRefusals: shareBelow(answerable, threshold),
    refused: shareBelow(unanswerable, threshold),
  };
};

/**
 * `refusalAt` with an interval for the part refused: questions of both kinds are resampled, and the
 * threshold is fitted to each sample, so that the interval includes its uncertainty.
 */
export const estimateRefusal = (
  answerable: readonly number[],
  unanswerable: readonly number[],
  allowed: number,
): RefusalFigures & Estimate => {
  const figures = refusalAt(answerable, unanswerable, allowed);
  const random = createRandom(answerable.length + unanswerable.length);
  const draw = (values: readonly number[]): number[] =>
    values.map(() => values[Math.floor(random() * values.length)] ?? 0);
  const shares: number[] = [];
  for (let resample = 0; resample < resamples && answerable.length > 0 && unanswerable.length > 0; resample++)
    shares.push(refusalAt(draw(answerable), draw(unanswerable), allowed).refused);
  return { ...figures, mean: figures.refused, ...percentileInterval(shares) };
};

const shareBelow = (values: readonly number[], threshold: number): number =>
  values.length === 0 ? 0 : values.filter((value) => value < threshold).length / values.length;
