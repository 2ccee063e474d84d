import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { GatePrior } from "../../../src/retrieval/calibration/calibration.ts";
import { gateFeatureNames } from "../../../src/retrieval/calibration/feature-names.ts";
import { prior as shippedPrior } from "../../../src/retrieval/gate-coefficients.ts";
import { answerableFrom, answerableQuestions, typicalFrom } from "./answerable-questions.ts";
import type { ExampleLine } from "./example-line.ts";
import { fitCoefficients, fitModelWeights } from "./fit-prior.ts";
import { judgeSets } from "./judged.ts";
import { marginsOf, operatingPoint, withOperatingPoint } from "./operating-point.ts";
import { type HeldOut, heldOutBy, readExamples } from "./read-examples.ts";
import { refusalTable, reliabilityTables } from "./tables.ts";
import { tuneMade } from "./tune.ts";
import { writePrior } from "./write-prior.ts";

const usage = `Fits what the gate knows before it knows a store, and measures it on sets it was not fitted to.

  bun bench/quality/gate/fit.ts FOLDER [--also FOLDER…] [--without set|source|language] [--tune] [--write FILE]
  bun bench/quality/gate/fit.ts FOLDER [--also FOLDER…] --shipped
  bun bench/quality/gate/fit.ts FOLDER [--also FOLDER…] --model [--without set|source|language] [--write FILE]

FOLDER is what examples.ts wrote; --also are examples of stores of other sizes. For each set the prior is fitted to the
others; the tables tell what it refuses at the default threshold before and after the set's own calibration, which learns
from made questions alone. --without leaves out more than the set: all of its source (XQuAD asks the same questions in each
language), or that and all of its language. The threshold after a calibration is chosen on the other sets too. --tune tries how much made questions should count. --write puts the prior fitted
to everything into FILE (src/retrieval/gate-coefficients.ts). --shipped fits nothing: the prior in use judges, which knows
the sets it was fitted to. --model fits the weights of a configured model's cosines alone, with all others as they are in use.`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    also: { type: "string", multiple: true, default: [] },
    without: { type: "string", default: "set" },
    tune: { type: "boolean", default: false },
    write: { type: "string" },
    shipped: { type: "boolean", default: false },
    model: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
const isHeldOut = heldOutBy[values.without as HeldOut];
if (folder === undefined || isHeldOut === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

const { made } = shippedPrior;
const read = async (from: string) => ({ name: basename(from), lines: await readExamples(from) });
const [first, ...others] = await Promise.all([folder, ...values.also].map(read));
const folders = [...(first === undefined ? [] : [first]), ...others];
const everything = folders.flatMap(({ lines }) => lines);
const names = [...new Set(everything.map(({ set }) => set))];
const print = (title: string, priors: ReadonlyMap<string, GatePrior>): void => {
  for (const { name, lines } of folders)
    process.stdout.write(refusalTable(`${name}, ${title}`, judgeSets(lines, names, priors)));
  process.stdout.write(reliabilityTables(judgeSets(first?.lines ?? [], names, priors)));
};
if (values.shipped) {
  print("by the prior in use", new Map(names.map((set) => [set, shippedPrior])));
  process.exit(0);
}
const showAndWrite = async (prior: GatePrior): Promise<void> => {
  for (const [at, name] of gateFeatureNames.entries())
    process.stdout.write(`${name}: ${prior.coefficients[at]?.toFixed(2)} ± ${prior.deviations[at]?.toFixed(2)}\n`);
  const { bySize } = prior;
  process.stdout.write(
    `shift ${prior.made.shift.toFixed(2)}, by size ${bySize.small.toFixed(2)} ${bySize.large.toFixed(2)}\n`,
  );
  if (values.write !== undefined) await writePrior(values.write, prior);
};
if (values.model) {
  const fittedTo = (lines: readonly ExampleLine[]): GatePrior => fitModelWeights(lines, shippedPrior);
  const knowing = names.map((set) => [set, fittedTo(everything.filter((line) => !isHeldOut(line, set)))] as const);
  print(`the model's weights without the ${values.without}`, new Map(knowing));
  await showAndWrite(fittedTo(everything));
  process.exit(0);
}
const linesOf = Map.groupBy(everything, ({ set }) => set);
const coefficientsOf = new Map(
  names.map((set) => [set, fitCoefficients(everything.filter((line) => !isHeldOut(line, set)))]),
);
/** Of each set, judged by coefficients that do not know it: by others, its questions have more evidence than those of new sets. */
const questionsOf = new Map(
  [...coefficientsOf].map(([set, { coefficients }]) => [
    set,
    answerableQuestions(linesOf.get(set) ?? [], coefficients),
  ]),
);
const othersOf = (set: string): string[] =>
  names.filter((other) => linesOf.get(other)?.some((line) => !isHeldOut(line, set)));
/** With the evidence of the questions of some sets, before the operating point is known. */
const withQuestions = (own: ReturnType<typeof fitCoefficients>, sets: readonly string[]): GatePrior => {
  const questions = sets.flatMap((set) => questionsOf.get(set) ?? []);
  const bySize = { small: 0, large: 0 };
  return { ...own, answerable: answerableFrom(questions), typical: typicalFrom(questions), bySize, made };
};
const priorsBefore = new Map([...coefficientsOf].map(([set, own]) => [set, withQuestions(own, othersOf(set))]));
/** By the prior that does not know the set, in stores of each size. */
const marginsOfSet = new Map(
  [...priorsBefore].map(([set, prior]) => [
    set,
    folders.flatMap(({ lines }) =>
      marginsOf(
        lines.filter((line) => line.set === set),
        prior,
      ),
    ),
  ]),
);
const atOperatingPoint = (prior: GatePrior, sets: readonly string[]): GatePrior =>
  withOperatingPoint(prior, operatingPoint(sets.flatMap((set) => marginsOfSet.get(set) ?? [])));
const priors = new Map([...priorsBefore].map(([set, prior]) => [set, atOperatingPoint(prior, othersOf(set))]));
if (values.tune) for (const { name, lines } of folders) process.stdout.write(`${name}\n${tuneMade(lines, priors)}`);
print(`without the ${values.without}`, priors);

await showAndWrite(atOperatingPoint(withQuestions(fitCoefficients(everything), names), names));
