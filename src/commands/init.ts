import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import commentedConfig from "../../config/carrel.yaml" with { type: "text" };
import { CommandFailure } from "../domain/command-failure.ts";
import type { Environment } from "../program/environment.ts";

/** `carrel init`: writes the commented `carrel.yaml`; never over a file that is there, unless told to. */
export const init = async (
  options: { config?: string; force?: boolean },
  { cwd, write }: Environment,
): Promise<void> => {
  const path = resolve(cwd, options.config ?? "carrel.yaml");
  try {
    // It is where secrets end up, whatever the comments say.
    await writeFile(path, commentedConfig, { flag: options.force === true ? "w" : "wx", mode: 0o600 });
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === "EEXIST") throw new CommandFailure(`${path} is there already; --force writes over it.`);
    throw new CommandFailure(`Cannot write ${path} (${code ?? String(error)}).`);
  }
  write(`${path}\n`);
};
