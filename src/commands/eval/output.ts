import { resolve } from "node:path";
import { CommandFailure } from "../../domain/errors.ts";
import type { Environment } from "../../program/environment.ts";
import type { ClientOptions } from "../client/client.ts";
import { terminalLine } from "../output/output.ts";

/** What `carrel eval` takes; which options go together is checked in eval.ts. */
export interface EvalOptions extends Omit<ClientOptions, "json"> {
  keyFile?: string;
  /** Refused: see remote-server.ts. */
  key?: string | true;
  set?: string[];
  /** `true`: to standard output; else the file. */
  json?: string | true;
  compare?: string;
  answers?: boolean;
  fromFeedback?: boolean;
}

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

interface Steps {
  /** Progress of a step. */
  show(what: string, done: number, total: number): void;
  /** A note on a line of its own. */
  note(text: string): void;
  end(): void;
}

/** On a terminal, one line that is overwritten; elsewhere, a line for each finished step. */
export const createSteps = (environment: Pick<Environment, "isTerminal" | "writeError">): Steps => {
  const { isTerminal, writeError } = environment;
  const line = terminalLine(environment);
  return {
    show(what, done, total) {
      line.show(`${what}: ${done} of ${total}`);
      if (!isTerminal && done === total) writeError(`${what}: ${done}\n`);
    },
    note(text) {
      line.clear();
      writeError(`note: ${text}\n`);
    },
    end: line.clear,
  };
};
