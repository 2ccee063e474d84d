import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gateFeatureNames } from "../../../src/retrieval/calibration/feature-names.ts";
import type { ExampleLine } from "./example-line.ts";

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
      const count = line.features?.length ?? gateFeatureNames.length;
      if (count !== gateFeatureNames.length)
        throw new Error(`${name} has ${count} features instead of ${gateFeatureNames.length}: run examples.ts again`);
      lines.push(line);
    }
  return lines;
};

/** The kind of a set: the first part of its name. */
export const sourceOf = (set: string): string => set.split("-")[0] ?? set;

/** The language of a set: the rest of its name; source code is asked for in English. */
const languageOf = (set: string): string => set.split("-")[1] ?? "en";

/** Whose headings and sentences stand for questions: other pages answer them too. */
export const isKnownItem = (set: string): boolean => /^(?:lo|help|guide|handbook|manual|programs|reference)-/.test(set);

/** What is left out of the fit for a set: it alone, all of its source, or all of its source and of its language. */
export const heldOutBy = {
  set: (line: ExampleLine, set: string): boolean => line.set === set,
  source: (line: ExampleLine, set: string): boolean => sourceOf(line.set) === sourceOf(set),
  language: (line: ExampleLine, set: string): boolean =>
    sourceOf(line.set) === sourceOf(set) || languageOf(line.set) === languageOf(set),
} as const;

export type HeldOut = keyof typeof heldOutBy;
