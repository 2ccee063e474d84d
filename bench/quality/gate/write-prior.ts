import type { GatePrior } from "../../../src/retrieval/calibration/calibration.ts";

const listOf = (numbers: readonly number[]): string => `[${numbers.map((each) => each.toFixed(2)).join(", ")}]`;

/** Replaces the numbers of a prior in a file of source code. */
export const writePrior = async (path: string, prior: GatePrior): Promise<void> => {
  let text = await Bun.file(path).text();
  for (const name of ["coefficients", "deviations", "answerable"] as const)
    text = text.replace(new RegExp(`  ${name}: \\[[^\\]]*\\]`), `  ${name}: ${listOf(prior[name])}`);
  const { typical, bySize, made } = prior;
  text = text.replace(/ {2}typical: \[[^;]*?\n? *\],\n {2}bySize: \{.*\}/, () => {
    const rows = typical.map((each) => `    ${listOf(each)},\n`).join("");
    const sizes = `{ small: ${bySize.small.toFixed(2)}, large: ${bySize.large.toFixed(2)} }`;
    return `  typical: [\n${rows}  ],\n  bySize: ${sizes}`;
  });
  await Bun.write(path, text.replace(/(made: \{.*shift: )[-.\d]+/, `$1${made.shift.toFixed(2)}`));
};
