import { mean as meanOf } from "../../../src/evaluation/estimates.ts";
import { type FeatureName, featureNames, featureSigns, type Measured } from "../../../src/retrieval/judge/features.ts";
import { evidenceOfSize, smallness } from "../../../src/retrieval/judge/judge.ts";
import { type Example, fitLogistic, product } from "./fit-logistic.ts";
import type { ExampleLine } from "./read-examples.ts";

/** The numbers of the judge: src/retrieval/judge/coefficients.ts. */
export interface Numbers {
  /** In the order of `featureNames`. */
  coefficients: number[];
  /** Evidence of questions whose answer is there, ascending. */
  answerable: number[];
  bySize: { small: number; large: number };
}

/** Questions of people count most: those of other sets are easy. */
const weights = { real: 1, foreign: 0.3 };
/** Times the variance of each feature: the strength that gave most on sets that were left out. */
const ridge = 15;

/** Left out together: most sets have all of these or none, so that what they change would be mistaken for the kind of text. */
const leftOutTogether: readonly (readonly FeatureName[])[] = [
  [],
  ["nearestLead"],
  ["namesMissing"],
  ["severalEach", "together"],
];

/**
 * Each question as it is, as in a language that no model knows, as in a script that has no capitals, and as where each
 * document is one snippet.
 */
const viewsOf = ({ measured, isThere: positive, kind }: ExampleLine): Example[] => {
  if (measured === null) return [];
  const views = leftOutTogether.map((left) => featureNames.map((name) => (left.includes(name) ? 0 : measured[name])));
  const distinct = new Map(views.map((each) => [each.join(), each]));
  return [...distinct.values()].map((each) => ({ features: each, positive, weight: weights[kind] }));
};

/** @param without features whose coefficient stays 0 */
export const fitCoefficients = (
  lines: readonly ExampleLine[],
  without: ReadonlySet<FeatureName> = new Set(),
): number[] => {
  const kept = featureNames.flatMap((name, at) => (without.has(name) ? [] : [at]));
  const examples = lines
    .flatMap(viewsOf)
    .map((example) => ({ ...example, features: kept.map((at) => example.features[at] as number) }));
  const precision = kept.map((_, place) => {
    const values = examples.map(({ features }) => features[place] ?? 0);
    const mean = meanOf(values);
    return ridge * meanOf(values.map((value) => (value - mean) ** 2)) + 0.01;
  });
  const fitted = fitLogistic(
    examples,
    precision,
    kept.map((at) => featureSigns[at] ?? 0),
  );
  const coefficients = featureNames.map(() => 0);
  for (const [place, at] of kept.entries()) coefficients[at] = fitted[place] ?? 0;
  return coefficients;
};

/** A question of people whose answer is there, with its evidence by coefficients that do not know its set. */
export interface AnswerableQuestion {
  evidence: number;
  measured: Measured;
}

export const answerableOf = (lines: readonly ExampleLine[], coefficients: readonly number[]): AnswerableQuestion[] =>
  lines.flatMap(({ kind, isThere, measured }) =>
    kind === "real" && isThere && measured !== null ? [{ evidence: evidenceOf(measured, coefficients), measured }] : [],
  );

/** The evidence for an answer, as log odds. */
export const evidenceOf = (measured: Measured, coefficients: readonly number[]): number =>
  product(
    coefficients,
    featureNames.map((name) => measured[name]),
  );

/** Points of the kept distribution of evidence. */
const points = 40;
/** What the default promises, and a little less in large stores: those here are put together from several collections. */
const allowed = { usual: 0.05, large: 0.045 };
/** From this on, by its measure, a store is large: of more than some 550 snippets. */
const largeFrom = 0.15;
/** Stores of a few documents refuse next to nothing of what is there, whatever is done: they decide nothing. */
const tinyFrom = 0.6;

/** Linear between the values: of n, the i-th lies at the share (i + 0.5) / n. */
const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.max(0, share * sorted.length - 0.5));
  const low = Math.floor(at);
  const from = sorted[low] ?? 0;
  return from + (at - low) * ((sorted[low + 1] ?? from) - from);
};

/** What is expected of answerable questions, so that at the default 5 in 100 are refused in stores of each size. */
export const expectedOf = (questions: readonly AnswerableQuestion[]): Omit<Numbers, "coefficients"> => {
  const usual = questions.filter(({ measured }) => smallness(measured.small) === 0 && measured.large < largeFrom);
  const small = questions.filter(({ measured }) => smallness(measured.small) === 1 && measured.small < tinyFrom);
  const large = questions.filter(({ measured }) => measured.large >= largeFrom);
  const threshold = quantile(
    usual.map(({ evidence }) => evidence),
    allowed.usual,
  );
  const shift = (stores: readonly AnswerableQuestion[], share: number): number => {
    const shifts = stores.flatMap(({ evidence, measured }) => {
      const effect = evidenceOfSize(measured, { small: 1, large: 1 });
      return effect === 0 ? [] : [(evidence - threshold) / effect];
    });
    return shifts.length === 0 ? 0 : quantile(shifts, share);
  };
  const bySize = { small: shift(small, allowed.usual), large: shift(large, allowed.large) };
  const evidence = usual.map((each) => each.evidence - evidenceOfSize(each.measured, bySize));
  return { answerable: Array.from({ length: points }, (_, at) => quantile(evidence, (at + 0.5) / points)), bySize };
};

const listOf = (numbers: readonly number[]): string => `[${numbers.map((each) => each.toFixed(2)).join(", ")}]`;

/** Puts the numbers into src/retrieval/judge/coefficients.ts. */
export const writeNumbers = async (path: string, { coefficients, answerable, bySize }: Numbers): Promise<void> => {
  const rows = featureNames.map((name, at) => `  ${name}: ${(coefficients[at] ?? 0).toFixed(2)},\n`).join("");
  const text = (await Bun.file(path).text())
    .replace(/(export const coefficients[^{]*\{\n)[^}]*/, `$1${rows}`)
    .replace(/(export const answerable[^=]*= )\[[^\]]*\]/, `$1${listOf(answerable)}`)
    .replace(
      /(export const bySize[^=]*= )\{[^}]*\}/,
      `$1{ small: ${bySize.small.toFixed(2)}, large: ${bySize.large.toFixed(2)} }`,
    );
  await Bun.write(path, text);
};
