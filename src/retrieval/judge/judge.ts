import { answerable, bySize, coefficients, noise } from "./coefficients.ts";
import { featureNames, type Measured } from "./features.ts";

/** What the judge says of a question. */
interface Verdict {
  /** How likely the documents contain the answer, 0 to 1, where half of the questions have one. */
  confidence: number;
  /** Of the questions that documents answer, 5 in 100 have less than 0.5 here: see `wishFor`. */
  refusedAbove: number;
  /** A snippet is near, by its words or in meaning, so that a search shows what it found. */
  isNear: boolean;
}

const nothingFound: Verdict = { confidence: 0, refusedAbove: 0, isNear: false };

/** Judges whether the documents contain the answer. @param measured as by `measure`; null if nothing was found */
export const judge = (measured: Measured | null): Verdict => {
  if (measured === null) return nothingFound;
  const evidence = featureNames.reduce((sum, name) => sum + coefficients[name] * measured[name], 0);
  return {
    confidence: 1 / (1 + Math.exp(-evidence)),
    refusedAbove: wishFor(shareBelow(answerable, evidence - evidenceOfSize(measured))),
    isNear: measured.covered >= noise.covered || measured.rise >= noise.rise,
  };
};

/** Judges a question that can be read in several ways: by the one that speaks most for an answer. */
export const judgeReadings = (readings: readonly Measured[]): Verdict => {
  const verdicts = readings.map(judge);
  const best = verdicts.reduce((most, each) => (each.refusedAbove > most.refusedAbove ? each : most), nothingFound);
  return { ...best, isNear: verdicts.some(({ isNear }) => isNear) };
};

/** What is measured of a question in a chat, by what it is read with. Null where nothing is found. */
interface ReadInChat {
  /** The question by itself. */
  alone: Measured | null;
  /** With the user's question before it. */
  withLast: Measured | null;
  /** With all turns that are searched for. */
  whole: Measured | null;
}

/**
 * Up to the first of these, the words of the question that are not found are no more than those of "when was that?"; from
 * the second on, a rare word is missing. As `missing` is measured.
 */
const lacks = { nothing: 0.25, aWord: 0.45 };

/**
 * The two ways to read a question in a chat: by itself, and as a part of it.
 *
 * The words of the turns before it are found, for they were answered; counted like the question's own, they would speak for
 * an answer to whatever comes next. So where words of its own are missing, those of the turns do not stand in for them: half
 * of it is then the question alone, half the question with the user's last one. Measured with bench/quality/gate/chats.ts.
 */
export const readingsInChat = ({ alone, withLast, whole }: ReadInChat): Measured[] => {
  if (alone === null || withLast === null || whole === null) return [];
  const own = Math.min(1, Math.max(0, (alone.missing - lacks.nothing) / (lacks.aWord - lacks.nothing)));
  const inChat = { ...alone };
  for (const name of Object.keys(alone) as (keyof Measured)[])
    inChat[name] = (own * (alone[name] + withLast[name])) / 2 + (1 - own) * whole[name];
  return [alone, inChat];
};

/** Stores of some 140 snippets are of the usual kind, those of 80 small: by the measure `small`. */
const smallRange = { from: 0.1, to: 0.2 };

/** How far a store is a small one, 0 to 1. Of five notes no more is expected than of fifty. */
export const smallness = (small: number): number =>
  Math.min(1, Math.max(0, (small - smallRange.from) / (smallRange.to - smallRange.from)));

/**
 * How much more evidence answerable questions have because of the size of their store: in a small one nothing else has their
 * words, in one of thousands the rarest words are rarer. Pairs of letters (Thai) are found in any store.
 */
export const evidenceOfSize = (
  { small, large, letters }: Pick<Measured, "small" | "large" | "letters">,
  by = bySize,
): number => (1 - letters) * (by.small * smallness(small) + by.large * large);

/**
 * The part of the values that is below one, linear in between; beyond both ends half as much for each unit of evidence, so
 * that the order is kept there.
 * @param sorted ascending, not empty
 */
export const shareBelow = (sorted: readonly number[], value: number): number => {
  const count = sorted.length;
  const [first = 0] = sorted;
  const last = sorted[count - 1] ?? 0;
  if (value < first) return (0.5 / count) * 2 ** (value - first);
  if (value >= last) return 1 - (0.5 / count) * 2 ** (last - value);
  let low = 0;
  while ((sorted[low + 1] ?? Number.POSITIVE_INFINITY) <= value) low++;
  const from = sorted[low] ?? 0;
  const to = sorted[low + 1] ?? from;
  // Of n values, the i-th lies at the share (i + 0.5) / n.
  return (low + 0.5 + (to > from ? (value - from) / (to - from) : 0)) / count;
};

/** At a wish of 0.5, this part of the questions that have an answer may be refused. */
const usualFalseRefusals = 0.05;
const usualOdds = usualFalseRefusals / (1 - usualFalseRefusals);

/**
 * The wish by which this part of the answerable questions may be refused: 0.5 for 5 %, in between by the odds (2.2 % is
 * 0.3, 17 % is 0.8), so that 0 refuses none and 1 all.
 */
export const wishFor = (falseRefusals: number): number => {
  if (falseRefusals >= 1) return 1;
  const odds = falseRefusals / (1 - falseRefusals) / usualOdds;
  return odds / (1 + odds);
};
