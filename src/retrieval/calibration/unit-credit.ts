import type { RunFinder } from "./word-runs.ts";

/** A unit of which less is found is not found: pairs of characters occur in other words too. */
const minUnitCredit = 0.5;

interface RareUnit {
  members: readonly number[];
  written: string | null;
  rarity: number;
}

/** The rarity of the units that a snippet has, in part of those that it has in part. @param credits of each word */
export const creditOf = (units: readonly RareUnit[], credits: readonly number[], runs: RunFinder): number =>
  sumOf(units.map((unit) => unit.rarity * unitCredit(unit, credits, runs)));

const unitCredit = ({ members, written }: RareUnit, credits: readonly number[], runs: RunFinder): number => {
  const credit = sumOf(members.map((member) => credits[member] ?? 0)) / members.length;
  if (members.length === 1) return credit;
  if (credit < minUnitCredit) return 0;
  const run = written === null ? credit : runs(written);
  return run >= minUnitCredit ? run : 0;
};

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
