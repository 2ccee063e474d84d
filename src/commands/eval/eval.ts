import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageFailure } from "../../domain/command-failure.ts";
import type { Environment } from "../../program/environment.ts";
import type { ClientOptions } from "../client/client.ts";

export interface EvalOptions extends ClientOptions {
  server?: string;
  keyFile?: string;
  /** Refused: see `serverOf`. */
  key?: string | true;
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
  environment: Environment,
): Promise<void> => {
  // `--json FOLDER` was not meant to write over the folder.
  const isMisread = given === undefined && options.calibrate !== true && typeof options.json === "string";
  const target = isMisread ? String(options.json) : given;
  const chosen: EvalOptions = isMisread ? { ...options, json: true } : options;
  if (chosen.calibrate === true) {
    if (target !== undefined)
      throw new UsageFailure("--calibrate works on the documents that are stored: it takes no folder.");
    refuse(chosen, [...ofSets, "server", "keyFile", "key"], "--calibrate");
    const { calibrateStore } = await import("./eval-calibrate.ts");
    return await calibrateStore(chosen, environment);
  }
  if (target === undefined)
    throw new UsageFailure("A folder with sets or a file with checks is wanted, or --calibrate (`carrel help eval`).");
  refuse(chosen, ofCalibration, "a folder or a file");
  // A key is good for one organization.
  if (chosen.server !== undefined) refuse(chosen, ["organization"], "--server");
  const path = resolve(environment.cwd, target);
  const found = await stat(path).catch(() => {
    throw new UsageFailure(`There is no folder or file ${target}.`);
  });
  if (found.isDirectory()) {
    refuse(chosen, ["organization"], "a folder with sets");
    const { evaluateSets } = await import("./eval-sets.ts");
    return await evaluateSets(path, chosen, environment);
  }
  refuse(chosen, ofSets, "a file with checks");
  const { runChecks } = await import("./eval-checks.ts");
  await runChecks(path, chosen, environment);
};

const refuse = (options: EvalOptions, names: readonly (keyof EvalOptions)[], what: string): void => {
  const unfit = names
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name === "keyFile" ? "key-file" : name}`);
  if (unfit.length > 0) throw new UsageFailure(`${unfit.join(", ")} does not go with ${what}.`);
};

/** A key has 47 characters. */
const MOST_KEY_BYTES = 4_096;

/**
 * The key for `--server`: from `--key-file`, else `CARREL_ADMIN_KEY`. Never from an argument, which
 * every user of the machine can read in the list of processes.
 * @throws UsageFailure
 */
export const serverOf = async (
  { server, keyFile, key }: EvalOptions,
  { env, cwd }: Pick<Environment, "env" | "cwd">,
): Promise<{ address: string; key: string } | null> => {
  if (key !== undefined)
    throw new UsageFailure(
      "A key on the command line can be read in the list of processes: give it in a file (--key-file FILE) or as CARREL_ADMIN_KEY. Revoke this one where others use the machine.",
    );
  if (server === undefined) {
    if (keyFile !== undefined) throw new UsageFailure("--key-file goes with --server.");
    return null;
  }
  if (!/^https?:\/\/[^\s/?#]+/i.test(server))
    throw new UsageFailure("--server takes an address such as http://127.0.0.1:7373.");
  const given = keyFile === undefined ? env.CARREL_ADMIN_KEY : await readKey(resolve(cwd, keyFile), keyFile);
  if (given === undefined || given === "")
    throw new UsageFailure("--server needs a key: --key-file FILE, or CARREL_ADMIN_KEY.");
  return { address: server, key: given };
};

const readKey = async (path: string, given: string): Promise<string> => {
  const file = given === "-" ? Bun.stdin : Bun.file(path);
  const text = await file
    .slice(0, MOST_KEY_BYTES)
    .text()
    .catch((error: unknown) => {
      const { code } = error as { code?: string };
      throw new UsageFailure(`The key cannot be read from ${given} (${code ?? "unknown error"}).`);
    });
  const key = text.trim();
  if (key === "" || /\s/.test(key)) throw new UsageFailure(`${given} is to hold a key and nothing else.`);
  return key;
};
