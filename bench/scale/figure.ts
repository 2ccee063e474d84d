import { quantile } from "../serving/figures.ts";

/** A measured value beside what it is compared with. */
export interface Figure {
  measure: string;
  value: number;
  unit: "ms" | "ms of CPU" | "MB" | "KB" | "ratio" | "of 1";
  /** What the same costs at least, measured in the same run; null where nothing is compared. */
  floor: number | null;
  /** Bound of the ratio to the floor, or of the value where there is none; null where it is told only. */
  goal: { most: number } | { least: number } | null;
}

/** The ratio to the floor, or the value where there is none. */
export const compared = ({ value, floor }: Figure): number => (floor === null ? value : value / floor);

/** Null where there is no goal. */
export const isReached = (figure: Figure): boolean | null => {
  const { goal } = figure;
  if (goal === null) return null;
  return "most" in goal ? compared(figure) <= goal.most : compared(figure) >= goal.least;
};

const rounded = (value: number): string => value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);

const rowOf = (figure: Figure): string[] => {
  const { measure, value, unit, floor, goal } = figure;
  const bound = goal === null ? "" : "most" in goal ? `≤ ${goal.most}` : `≥ ${goal.least}`;
  const reached = isReached(figure);
  return [
    measure,
    unit === "ratio" || unit === "of 1" ? rounded(value) : `${rounded(value)} ${unit}`,
    floor === null ? "" : `${rounded(floor)} ${unit}`,
    floor === null ? "" : rounded(value / floor),
    bound,
    reached === null ? "" : reached ? "yes" : "**no**",
  ];
};

/** Rows of a Markdown table. */
export const tableOf = (figures: readonly Figure[]): string =>
  [
    ["measure", "value", "floor", "ratio", "goal", "reached"],
    ["---", "---", "---", "---", "---", "---"],
    ...figures.map(rowOf),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");

export const median = (values: readonly number[]): number => quantile(values, 0.5);
