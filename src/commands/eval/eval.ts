import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageFailure } from "../../domain/errors.ts";
import type { Environment } from "../../program/environment.ts";
import type { EvalOptions } from "./output.ts";

/** Options that only sets take. */
const setOptions = ["set", "compare", "answers"] as const;

/** `carrel eval`: measures the sets of a folder, or runs the checks of a file or those that feedback makes. */
export const evaluate = async (
  given: string | undefined,
  options: EvalOptions,
  environment: Environment,
): Promise<void> => {
  // In `carrel eval --json FOLDER` the parser takes the folder for the value of `--json`.
  const isMisread = given === undefined && typeof options.json === "string";
  const target = isMisread ? String(options.json) : given;
  const chosen: EvalOptions = isMisread ? { ...options, json: true } : options;
  if (chosen.fromFeedback === true) {
    refuse(chosen, setOptions, "--from-feedback");
    if (chosen.server !== undefined) refuse(chosen, ["organization"], "--server");
    const { evaluateFeedback } = await import("./run-checks.ts");
    return await evaluateFeedback(target === undefined ? null : resolve(environment.cwd, target), chosen, environment);
  }
  if (target === undefined)
    throw new UsageFailure(
      "Name a folder with sets or a file with checks, or use --from-feedback (see `carrel help eval`).",
    );
  // A key belongs to one organization, so the two would contradict each other.
  if (chosen.server !== undefined) refuse(chosen, ["organization"], "--server");
  const path = resolve(environment.cwd, target);
  const found = await stat(path).catch(() => {
    throw new UsageFailure(`There is no folder or file ${target}.`);
  });
  if (found.isDirectory()) {
    refuse(chosen, ["organization"], "a folder with sets");
    const { evaluateSets } = await import("./evaluate-sets.ts");
    return await evaluateSets(path, chosen, environment);
  }
  refuse(chosen, setOptions, "a file with checks");
  const { runChecks } = await import("./run-checks.ts");
  await runChecks(path, chosen, environment);
};

const refuse = (options: EvalOptions, names: readonly (keyof EvalOptions)[], what: string): void => {
  const unfit = names
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name === "keyFile" ? "key-file" : name}`);
  if (unfit.length > 0) throw new UsageFailure(`${unfit.join(", ")} does not go with ${what}.`);
};
