import type { GatePrior } from "../../../src/retrieval/calibration/calibration.ts";

/** Replaces the numbers of a prior in a file of source code. */
export const writePrior = async (
  path: string,
  { coefficients, deviations, answerable, made }: GatePrior,
): Promise<void> => {
  const change = (from: string, name: string, numbers: readonly number[]): string =>
    from.replace(
      new RegExp(`  ${name}: \\[[^\\]]*\\]`),
      `  ${name}: [${numbers.map((each) => each.toFixed(2)).join(", ")}]`,
    );
  const text = await Bun.file(path).text();
  const written = change(
    change(change(text, "coefficients", coefficients), "deviations", deviations),
    "answerable",
    answerable,
  );
  await Bun.write(path, written.replace(/(made: \{.*shift: )[-.\d]+/, `$1${made.shift.toFixed(2)}`));
};
