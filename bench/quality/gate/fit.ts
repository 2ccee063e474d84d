import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { mean as meanOf } from "../../../src/evaluation/estimates.ts";
import { refusalAt } from "../../../src/evaluation/refusal.ts";
import { type Calibration, type GatePrior, quantile } from "../../../src/retrieval/calibration/calibration.ts";
import { fitWithPrior } from "../../../src/retrieval/calibration/fit-calibration.ts";
import { type Example, fitMonotone, product } from "../../../src/retrieval/calibration/fit-logistic.ts";
import { gateFeatureNames, gateSigns } from "../../../src/retrieval/calibration/gate-features.ts";
import { isRefused, judge } from "../../../src/retrieval/relevance-gate.ts";
import type { ExampleLine } from "./example-line.ts";
import { binsOf, shareWithInterval } from "./shares.ts";

const usage = `Fits what the gate knows before it knows a store, and measures it on sets it was not fitted to.

  bun bench/quality/gate/fit.ts FOLDER [--also FOLDER…] [--write FILE]

FOLDER holds what examples.ts wrote. Each set is judged by coefficients fitted to all others (sets of one source, which is
what stands before the first hyphen of their names, are left out together with --by-source), with the calibration that a
store makes of its own made questions. --also: the same sets with fewer or more documents, fitted to and judged in the same
way. --write puts
coefficients fitted to all sets into a file such as src/retrieval/gate-coefficients.ts.`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    also: { type: "string", multiple: true, default: [] },
    "by-source": { type: "boolean", default: false },
    tune: { type: "boolean", default: false },
    write: { type: "string" },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

const read = async (from: string): Promise<ExampleLine[]> => {
  const lines: ExampleLine[] = [];
  for (const name of (await readdir(from)).filter((each) => each.endsWith(".jsonl")).sort())
    for (const line of (await Bun.file(join(from, name)).text()).split("\n"))
      if (line !== "") lines.push(JSON.parse(line) as ExampleLine);
  return lines;
};

/** Questions of people count most: those of other sets are easy, made ones are only like them. */
const weights = { real: 1, made: 0.05, foreign: 0.3 };
/** Headings of help pages stand for questions badly: other pages answer them too. */
const weightOf = ({ set, kind }: ExampleLine): number => weights[kind] * (/^(lo|help)-/.test(set) ? 0.2 : 1);
const wish = 0.5;
/** Beside the variance of each feature: the strength that gave most on sets that were left out. */
const ridge = 15;
/** One set alone tells what a script without spaces changes: there a store must be free to differ. */
const leastDeviation = (at: number): number => (gateFeatureNames[at] === "dense" ? 1 : 0.05);
/** Made questions are no sentences: what they say of cosines does not change what people's questions said. */
const heldDeviation = 0.05;

const isOfVectors = (at: number): boolean => /^(has|static|model)/.test(gateFeatureNames[at] ?? "");

/**
 * Twice where there are vectors: as it is, and as in a language that no model knows. Most sets are either English or not,
 * so that what vectors change would be mistaken for what the kind of text changes.
 */
const toExample = (line: ExampleLine): Example[] => {
  const { features, isThere: positive } = line;
  if (features === null) return [];
  const weight = weightOf(line);
  const blind = features.map((value, at) => (isOfVectors(at) ? 0 : value));
  return blind.every((value, at) => value === features[at])
    ? [{ features, positive, weight }]
    : [features, blind].map((each) => ({ features: each, positive, weight }));
};
const sourceOf = (set: string): string => set.split("-")[0] ?? set;

const defaults = { weight: 0.3, shift: 0.1, questions: 60 };

const diagonal = (values: readonly number[]): number[][] =>
  values.map((value, row) => values.map((_, at) => (at === row ? value : 0)));

const variances = (examples: readonly Example[]): number[] =>
  gateFeatureNames.map((_, at) => {
    const own = examples.map(({ features }) => features[at] ?? 0);
    const mean = meanOf(own);
    return meanOf(own.map((value) => (value - mean) ** 2));
  });

/** Mean and spread of the coefficients over sets, and the evidence of people's questions that have an answer. */
const fitPrior = (lines: readonly ExampleLine[], made: GatePrior["made"]): GatePrior => {
  const size = gateFeatureNames.length;
  const examples = lines.flatMap(toExample);
  const coefficients = fitMonotone(
    examples,
    { mean: new Array(size).fill(0), precision: diagonal(variances(examples).map((value) => ridge * value + 0.01)) },
    gateSigns,
  );
  const bySet = [...Map.groupBy(lines, ({ set }) => set).values()].map((own) =>
    fitMonotone(
      own.flatMap(toExample),
      { mean: coefficients, precision: diagonal(coefficients.map(() => 1)) },
      gateSigns,
    ),
  );
  const deviations = coefficients.map((center, at) =>
    isOfVectors(at)
      ? heldDeviation
      : Math.max(leastDeviation(at), Math.sqrt(meanOf(bySet.map((own) => ((own[at] ?? 0) - center) ** 2)))),
  );
  const evidence = lines
    .filter(
      ({ kind, isThere, features, set }) => kind === "real" && isThere && features !== null && !/^(lo|help)-/.test(set),
    )
    .map(({ features }) => product(coefficients, features ?? []))
    .sort((a, b) => a - b);
  const answerable = Array.from({ length: 40 }, (_, at) => quantile(evidence, (at + 0.5) / 40));
  return { coefficients, deviations, answerable, made };
};

interface Judged {
  line: ExampleLine;
  confidence: number;
  isRefused: boolean;
}

const judgeAll = (lines: readonly ExampleLine[], calibration: Calibration): Judged[] =>
  lines.map((line) => {
    const verdict = judge(line.features, calibration);
    return { line, confidence: verdict.confidence, isRefused: isRefused(verdict, wish, true) };
  });

const madeOf = (lines: readonly ExampleLine[]) =>
  lines.flatMap(({ kind, features, isThere }) => (kind === "made" && features !== null ? [{ features, isThere }] : []));

const lines = await read(folder);
const others = await Promise.all(values.also.map(async (from) => ({ from, lines: await read(from) })));
const everything = [...lines, ...others.flatMap((other) => other.lines)];
const names = [...new Set(everything.map(({ set }) => set))];
const heldOut = (set: string, all: readonly ExampleLine[]): ExampleLine[] =>
  all.filter((line) => (values["by-source"] ? sourceOf(line.set) !== sourceOf(set) : line.set !== set));

const priors = new Map(names.map((set) => [set, fitPrior(heldOut(set, everything), defaults)]));
const tiers = ["static", "minilm"] as const;

const table = (title: string, from: readonly ExampleLine[], made: GatePrior["made"]): Judged[] => {
  const all: Judged[] = [];
  const byTier = new Map(tiers.map((tier) => [tier, { alone: [] as Judged[], calibrated: [] as Judged[] }]));
  const share = (judged: readonly Judged[], kind: ExampleLine["kind"], isThere: boolean): string =>
    shareWithInterval(
      judged.filter(({ line }) => line.kind === kind && line.isThere === isThere).map((j) => j.isRefused),
    );
  const rowOf = (
    name: string,
    tier: string,
    asked: ExampleLine["kind"],
    alone: Judged[],
    calibrated: Judged[],
  ): string =>
    `| ${name} | ${tier} | ${share(alone, asked, false)} / ${share(alone, asked, true)} | ${share(calibrated, asked, false)} | ${share(calibrated, asked, true)} | ${share(calibrated, "foreign", false)} |`;
  const rows = [
    `### ${title}`,
    "",
    "| set | vectors | prior alone: absent refused / there refused | calibrated: absent refused | there refused | of other sets refused |",
    "|---|---|---|---|---|---|",
  ];
  for (const set of [...new Set(from.map((line) => line.set))])
    for (const tier of tiers) {
      const own = from.filter((line) => line.set === set && line.tier === tier);
      const prior = priors.get(set);
      if (own.length === 0 || prior === undefined) continue;
      const calibrated = judgeAll(own, fitWithPrior(madeOf(own), { ...prior, made }));
      const alone = judgeAll(own, prior);
      const asked = own.filter(({ kind }) => kind === "real").length >= 40 ? "real" : "made";
      rows.push(rowOf(`${set}${asked === "made" ? " (made)" : ""}`, tier, asked, alone, calibrated));
      if (asked === "real") {
        byTier.get(tier)?.alone.push(...alone);
        byTier.get(tier)?.calibrated.push(...calibrated);
      }
      if (!/^(lo|help)-/.test(set)) all.push(...calibrated.filter(({ line }) => line.kind === asked));
    }
  for (const [tier, { alone, calibrated }] of byTier)
    if (alone.length > 0) rows.push(rowOf("all of these", tier, "real", alone, calibrated));
  process.stdout.write(`${rows.join("\n")}\n\n`);
  return all;
};

if (values.tune) {
  for (const weight of [0, 0.03, 0.1, 0.3])
    for (const questions of [20, 60, 160, 500])
      for (const shift of [-0.2, 0, 0.2, 0.4, 0.6]) {
        let absent = 0;
        let there = 0;
        let worst = 0;
        let count = 0;
        for (const set of names)
          for (const tier of tiers) {
            const own = lines.filter((line) => line.set === set && line.tier === tier);
            const prior = priors.get(set);
            const real = own.filter(({ kind }) => kind === "real");
            if (real.length < 40 || prior === undefined || /^(lo|help)-/.test(set)) continue;
            const judged = judgeAll(
              real,
              fitWithPrior(madeOf(own), { ...prior, made: { weight: Math.max(weight, 1e-6), questions, shift } }),
            );
            const part = (isThere: boolean) =>
              meanOf(judged.filter(({ line }) => line.isThere === isThere).map(({ isRefused }) => (isRefused ? 1 : 0)));
            absent += part(false);
            there += part(true);
            worst = Math.max(worst, part(true));
            count++;
          }
        process.stdout.write(
          `weight ${weight} questions ${questions} shift ${shift}: absent ${((100 * absent) / count).toFixed(1)} there ${((100 * there) / count).toFixed(1)} worst ${(100 * worst).toFixed(1)}\n`,
        );
      }
}
process.stdout.write("### Absent refused by the best threshold of each set that refuses 5 % of what is there\n\n");
for (const set of names) {
  const prior = priors.get(set);
  const real = lines.filter((line) => line.set === set && line.tier === "static" && line.kind === "real");
  if (prior === undefined || real.length < 40) continue;
  const own = fitWithPrior(madeOf(lines.filter((line) => line.set === set && line.tier === "static")), prior);
  const evidenceOf = (isThere: boolean, by: Calibration): number[] =>
    real.filter((line) => line.isThere === isThere).map(({ features }) => judge(features, by).refusedAbove);
  const [alone, calibrated] = [prior, own].map(
    (by) => refusalAt(evidenceOf(true, by), evidenceOf(false, by), 0.05).refused,
  );
  process.stdout.write(
    `${set}: ${(100 * (alone ?? 0)).toFixed(1)}, calibrated ${(100 * (calibrated ?? 0)).toFixed(1)}\n`,
  );
}
const judged = table("Sets left out one by one", lines, defaults);
for (const { from, lines: own } of others) table(basename(from), own, defaults);
process.stdout.write(
  `### Reliability of the confidence\n\n${binsOf(judged.map(({ confidence, line }) => ({ confidence, isThere: line.isThere })))}\n`,
);

const shipped = fitPrior(everything, defaults);
for (const [at, name] of gateFeatureNames.entries())
  process.stdout.write(`${name}: ${shipped.coefficients[at]?.toFixed(2)} ± ${shipped.deviations[at]?.toFixed(2)}\n`);
if (values.write !== undefined) {
  const text = await Bun.file(values.write).text();
  const rounded = (numbers: readonly number[]): string => `[${numbers.map((each) => each.toFixed(2)).join(", ")}]`;
  const change = (from: string, name: string, numbers: readonly number[]): string =>
    from.replace(new RegExp(`  ${name}: \\[[^\\]]*\\]`), `  ${name}: ${rounded(numbers)}`);
  const { coefficients, deviations, answerable } = shipped;
  const written = change(
    change(change(text, "coefficients", coefficients), "deviations", deviations),
    "answerable",
    answerable,
  );
  await Bun.write(values.write, written);
}
