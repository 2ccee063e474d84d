import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { ClientOptions } from "./client.ts";
import { type Surroundings, UsageFailure } from "./surroundings.ts";

export interface EvalOptions extends ClientOptions {
  server?: string;
  key?: string;
  set?: string[];
  /** `true`: to standard output; else the file. */
  json?: string | true;
  compare?: string;
  answers?: boolean;
  calibrate?: boolean;
  documents?: number;
  write?: boolean;
}

/** Options that only one of the three takes. */
const ofSets = ["set", "compare", "answers"] as const;
const ofCalibration = ["documents", "write"] as const;

/** `carrel eval`: measures sets, runs checks, or fits the threshold, by what it is given. */
export const evaluate = async (
  given: string | undefined,
  options: EvalOptions,
  surroundings: Surroundings,
): Promise<void> => {
  // `--json FOLDER` was not meant to write over the folder.
  const isMisread = given === undefined && options.calibrate !== true && typeof options.json === "string";
  const target = isMisread ? String(options.json) : given;
  const chosen: EvalOptions = isMisread ? { ...options, json: true } : options;
  if (chosen.calibrate === true) {
    if (target !== undefined)
      throw new UsageFailure("--calibrate works on the documents that are stored: it takes no folder.");
    refuse(chosen, [...ofSets, "server", "key"], "--calibrate");
    const { calibrateStore } = await import("./eval-calibrate.ts");
    return await calibrateStore(chosen, surroundings);
  }
  if (target === undefined)
    throw new UsageFailure("A folder with sets or a file with checks is wanted, or --calibrate (`carrel help eval`).");
  refuse(chosen, ofCalibration, "a folder or a file");
  // A key is good for one organization.
  if (chosen.server !== undefined) refuse(chosen, ["organization"], "--server");
  const path = resolve(surroundings.cwd, target);
  const found = await stat(path).catch(() => {
    throw new UsageFailure(`There is no folder or file ${target}.`);
  });
  if (found.isDirectory()) {
    refuse(chosen, ["organization"], "a folder with sets");
    const { evaluateSets } = await import("./eval-sets.ts");
    return await evaluateSets(path, chosen, surroundings);
  }
  refuse(chosen, ofSets, "a file with checks");
  const { runChecks } = await import("./eval-checks.ts");
  await runChecks(path, chosen, surroundings);
};

const refuse = (options: EvalOptions, names: readonly (keyof EvalOptions)[], what: string): void => {
  const unfit = names.filter((name) => options[name] !== undefined).map((name) => `--${name}`);
  if (unfit.length > 0) throw new UsageFailure(`${unfit.join(", ")} does not go with ${what}.`);
};

/** The key for `--server`: `--key`, else `CARREL_ADMIN_KEY`. @throws UsageFailure */
export const serverOf = (
  { server, key }: EvalOptions,
  env: Surroundings["env"],
): { address: string; key: string } | null => {
  if (server === undefined) {
    if (key !== undefined) throw new UsageFailure("--key goes with --server.");
    return null;
  }
  if (!/^https?:\/\/[^\s/?#]+/i.test(server))
    throw new UsageFailure("--server takes an address such as http://127.0.0.1:7373.");
  const given = key ?? env.CARREL_ADMIN_KEY;
  if (given === undefined || given === "")
    throw new UsageFailure("--server needs a key: --key KEY, or CARREL_ADMIN_KEY.");
  return { address: server, key: given };
};
