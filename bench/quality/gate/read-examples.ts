import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { featureNames, type Measured } from "../../../src/retrieval/judge/features.ts";

/** Which vectors a question is asked with. `outside`: MiniLM's, as a server that does not say what its model knows. */
export const tiers = ["static", "minilm", "outside"] as const;

export type Tier = (typeof tiers)[number];

/** A line of the files that examples.ts writes and fit.ts reads. */
export interface ExampleLine {
  set: string;
  /** A question of the set, or one of another set. */
  kind: "real" | "foreign";
  tier: Tier;
  isThere: boolean;
  text: string;
  /** Null: nothing was found. */
  measured: Measured | null;
}

/**
 * All examples of a folder that examples.ts wrote.
 * @throws Error where one has not the features of today: it would be taken for another
 */
export const readExamples = async (folder: string): Promise<ExampleLine[]> => {
  const lines: ExampleLine[] = [];
  for (const name of (await readdir(folder)).filter((each) => each.endsWith(".jsonl")).sort())
    for (const text of (await Bun.file(join(folder, name)).text()).split("\n")) {
      if (text === "") continue;
      const line = JSON.parse(text) as ExampleLine;
      const missing = featureNames.filter((feature) => line.measured?.[feature] === undefined);
      if (line.measured !== null && missing.length > 0)
        throw new Error(`${name} lacks ${missing.join(", ")}: run examples.ts again`);
      lines.push(line);
    }
  return lines;
};
