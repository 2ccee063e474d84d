import type { ExampleLine } from "./example-line.ts";
import { bestPossible, type Judged, type JudgedSet } from "./judged.ts";
import { isKnownItem } from "./read-examples.ts";
import { binsOf, shareWithInterval } from "./shares.ts";

const shareOf = (judged: readonly Judged[], kind: ExampleLine["kind"], isThere: boolean): string =>
  shareWithInterval(
    judged.filter(({ line }) => line.kind === kind && line.isThere === isThere).map((each) => each.isRefused),
  );

const percent = (share: number): string => (100 * share).toFixed(1);

const rowOf = (name: string, { tier, asked, alone, calibrated }: Omit<JudgedSet, "set">, best: string): string =>
  [
    "",
    name,
    tier,
    `${shareOf(alone, asked, false)} / ${shareOf(alone, asked, true)}`,
    shareOf(calibrated, asked, false),
    shareOf(calibrated, asked, true),
    best,
    shareOf(calibrated, "foreign", false),
    "",
  ]
    .join(" | ")
    .trim();

/** A row for each set, and one for all of them with people's questions. */
export const refusalTable = (title: string, sets: readonly JudgedSet[]): string => {
  const rows = [
    `### ${title}`,
    "",
    "| set | vectors | prior alone: absent refused / there refused | calibrated: absent refused | there refused | absent refused by the best threshold | of other sets refused |",
    "|---|---|---|---|---|---|---|",
  ];
  for (const each of sets) {
    const name = `${each.set}${each.asked === "made" ? " (made)" : ""}`;
    rows.push(rowOf(name, each, percent(bestPossible(each.calibrated, each.asked))));
  }
  for (const [tier, own] of Map.groupBy(
    sets.filter(({ asked }) => asked === "real"),
    (each) => each.tier,
  )) {
    const all = own.map(({ calibrated }) => bestPossible(calibrated, "real"));
    const mean = all.reduce((sum, share) => sum + share, 0) / all.length;
    const joined = {
      tier,
      asked: "real" as const,
      alone: own.flatMap((e) => e.alone),
      calibrated: own.flatMap((e) => e.calibrated),
    };
    rows.push(rowOf("all of these", joined, `${percent(mean)} (mean)`));
  }
  return `${rows.join("\n")}\n\n`;
};

/** How right the confidence of calibrated stores is, for each kind of vectors. */
export const reliabilityTables = (sets: readonly JudgedSet[]): string =>
  [
    ...Map.groupBy(
      sets.filter(({ set }) => !isKnownItem(set)),
      ({ tier }) => tier,
    ),
  ]
    .map(([tier, own]) => {
      const judged = own.flatMap(({ asked, calibrated }) =>
        calibrated.flatMap(({ confidence, line }) =>
          line.kind === asked ? [{ confidence, isThere: line.isThere }] : [],
        ),
      );
      return `### Reliability of the confidence, ${tier}\n\n${binsOf(judged)}\n`;
    })
    .join("");
