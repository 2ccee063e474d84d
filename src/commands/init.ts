import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import commentedConfig from "../../config/carrel.yaml" with { type: "text" };
import { CommandFailure, codeOf } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";

/** `carrel init`: writes the commented `carrel.yaml`; over an existing file only with `--force`. */
export const init = async (
  options: { config?: string; force?: boolean },
  { cwd, env, write }: Environment,
): Promise<void> => {
  // Where the other commands look for it.
  const path = resolve(cwd, options.config ?? (env.CARREL_CONFIG || "carrel.yaml"));
  try {
    // People put secrets into it, whatever its comments say.
    await writeFile(path, commentedConfig, { flag: options.force === true ? "w" : "wx", mode: 0o600 });
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") throw new CommandFailure(`${path} exists already; --force overwrites it.`);
    throw new CommandFailure(`Cannot write ${path} (${code ?? String(error)}).`);
  }
  write(`${path}\n`);
};
