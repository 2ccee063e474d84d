import type { GatePrior } from "../../../src/retrieval/calibration/calibration.ts";
import { fitWithPrior } from "../../../src/retrieval/calibration/fit-calibration.ts";
import type { ExampleLine } from "./example-line.ts";
import { judgeAll, madeOf } from "./judged.ts";
import { isKnownItem } from "./read-examples.ts";

const share = (flags: readonly boolean[]): number => flags.filter(Boolean).length / Math.max(1, flags.length);

/** For each way to use made questions: the means over the sets, how far their false refusals differ, and the most of one. */
export const tuneMade = (lines: readonly ExampleLine[], priors: ReadonlyMap<string, GatePrior>): string => {
  const groups = [...Map.groupBy(lines, ({ set, tier }) => `${set} ${tier}`).values()].filter((own) => {
    const real = own.filter(({ kind }) => kind === "real");
    return real.length >= 50 && !isKnownItem(own[0]?.set ?? "");
  });
  const rows: string[] = [];
  for (const weight of [0.001, 0.01])
    for (const questions of [160, 320, 640])
      for (const shift of [0, 0.5, 1]) {
        const found = groups.flatMap((own) => {
          const prior = priors.get(own[0]?.set ?? "");
          if (prior === undefined) return [];
          const fitted = fitWithPrior(madeOf(own), { ...prior, made: { weight, questions, shift } });
          const judged = judgeAll(
            own.filter(({ kind }) => kind === "real"),
            fitted,
            prior.bySize,
          );
          const part = (isThere: boolean): number =>
            share(judged.filter(({ line }) => line.isThere === isThere).map(({ isRefused }) => isRefused));
          return [{ absent: part(false), there: part(true) }];
        });
        const mean = (of: (each: { absent: number; there: number }) => number): number =>
          found.reduce((sum, each) => sum + of(each), 0) / found.length;
        const center = mean(({ there }) => there);
        const spread = Math.sqrt(mean(({ there }) => (there - center) ** 2));
        const worst = Math.max(...found.map(({ there }) => there));
        const figures = [mean(({ absent }) => absent), center, spread, worst];
        const [absent, there, apart, most] = figures.map((each) => (100 * each).toFixed(1));
        rows.push(
          `weight ${weight} questions ${questions} shift ${shift}: absent ${absent} there ${there} ± ${apart} worst ${most}`,
        );
      }
  return `${rows.join("\n")}\n`;
};
