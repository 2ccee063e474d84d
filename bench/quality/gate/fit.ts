import { basename } from "node:path";
import { parseArgs } from "node:util";
import * as inUse from "../../../src/retrieval/judge/coefficients.ts";
import { type FeatureName, featureNames } from "../../../src/retrieval/judge/features.ts";
import { answerableOf, expectedOf, fitCoefficients, type Numbers, writeNumbers } from "./fit-coefficients.ts";
import { type ExampleLine, readExamples } from "./read-examples.ts";
import { type Judged, judgeAll, orderOf, refusalTable, reliabilityTable } from "./tables.ts";

const usage = `Fits the judge, and measures it on sets it was not fitted to.

  bun bench/quality/gate/fit.ts FOLDER… [--ablate] [--write FILE]
  bun bench/quality/gate/fit.ts FOLDER… --shipped

Each FOLDER is what examples.ts wrote, for stores of one size; the first gives the reliability of the confidence. For each set
the judge is fitted to the others; the tables tell what it refuses at the default threshold. --ablate does so without each of
the features, and prints what that costs. --write puts the numbers fitted to everything into FILE
(src/retrieval/judge/coefficients.ts). --shipped fits nothing: the numbers in use judge, which know the sets they were fitted to.`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    ablate: { type: "boolean", default: false },
    write: { type: "string" },
    shipped: { type: "boolean", default: false },
  },
});
if (positionals.length === 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
const folders = await Promise.all(
  positionals.map(async (from) => ({ name: basename(from), lines: await readExamples(from) })),
);
const everything = folders.flatMap(({ lines }) => lines);
const setOf = ({ set }: ExampleLine): string => set;
const sets = Map.groupBy(everything, setOf);
const print = (text: string): void => void process.stdout.write(text);

const printTables = (title: string, numbersOf: (set: string) => Numbers): void => {
  const judgedIn = (lines: readonly ExampleLine[]): Judged[] =>
    [...Map.groupBy(lines, setOf)].flatMap(([set, own]) => judgeAll(own, numbersOf(set)));
  for (const { name, lines } of folders) print(refusalTable(`${name}, ${title}`, judgedIn(lines)));
  print(reliabilityTable(judgedIn(folders[0]?.lines ?? [])));
};

if (values.shipped) {
  const coefficients = featureNames.map((name) => inUse.coefficients[name]);
  const numbers = { coefficients, answerable: [...inUse.answerable], bySize: inUse.bySize };
  printTables("by the numbers in use", () => numbers);
  process.exit(0);
}

/** For each set, coefficients that do not know it. */
const heldOut = (without: ReadonlySet<FeatureName>): Map<string, number[]> =>
  new Map(
    [...sets.keys()].map((set) => [
      set,
      fitCoefficients(
        everything.filter((line) => line.set !== set),
        without,
      ),
    ]),
  );

const coefficientsOf = heldOut(new Set());
const questionsOf = new Map(
  [...sets].map(([set, lines]) => [set, answerableOf(lines, coefficientsOf.get(set) ?? [])] as const),
);
/** What is expected of the questions of all sets but one, each with evidence by coefficients that do not know it. */
const expectedWithout = (left: string | null) =>
  expectedOf([...questionsOf].flatMap(([set, questions]) => (set === left ? [] : questions)));
printTables("by numbers that do not know the set", (set) => ({
  coefficients: coefficientsOf.get(set) ?? [],
  ...expectedWithout(set),
}));

if (values.ablate) {
  const orderWith = (coefficients: ReadonlyMap<string, number[]>) =>
    orderOf(
      [...sets].flatMap(([set, lines]) =>
        judgeAll(lines, { coefficients: coefficients.get(set) ?? [], answerable: [0], bySize: { small: 0, large: 0 } }),
      ),
    );
  const percent = (part: number): string => (100 * part).toFixed(2);
  const all = orderWith(coefficientsOf);
  print(`| without | absent refused, best threshold of each set | one threshold for all |\n|---|---|---|\n`);
  print(`| nothing | ${percent(all.best)} | ${percent(all.one)} |\n`);
  for (const name of featureNames.slice(1)) {
    const { best, one } = orderWith(heldOut(new Set([name])));
    print(`| \`${name}\` | ${percent(best - all.best)} | ${percent(one - all.one)} |\n`);
  }
}

const coefficients = fitCoefficients(everything);
for (const [at, name] of featureNames.entries()) print(`${name}: ${coefficients[at]?.toFixed(2)}\n`);
if (values.write !== undefined) await writeNumbers(values.write, { coefficients, ...expectedWithout(null) });
