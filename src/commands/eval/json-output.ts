import { resolve } from "node:path";
import { CommandFailure } from "../../domain/errors.ts";
import type { Environment } from "../../program/environment.ts";

/** Writes the value to the target of `--json`: nothing, standard output (`true`) or a file. */
export const writeJson = async (
  value: object,
  to: string | true | undefined,
  { cwd, write, writeError }: Pick<Environment, "cwd" | "write" | "writeError">,
): Promise<void> => {
  if (to === undefined) return;
  if (to === true) {
    write(`${JSON.stringify(value, null, 2)}\n`);
    return;
  }
  const path = resolve(cwd, to);
  await Bun.write(path, `${JSON.stringify(value)}\n`).catch((error: { code?: string }) => {
    throw new CommandFailure(`Cannot write ${path} (${error.code ?? String(error)}).`);
  });
  writeError(`written: ${path}\n`);
};
