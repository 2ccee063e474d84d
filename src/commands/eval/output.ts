import { resolve } from "node:path";
import { CommandFailure } from "../../domain/errors.ts";
import type { Environment } from "../../program/environment.ts";
import type { ClientOptions } from "../client/client.ts";

/** What `carrel eval` takes; which options go together is checked in eval.ts. */
export interface EvalOptions extends ClientOptions {
  server?: string;
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

interface Progress {
  /** Progress of a step. */
  show(what: string, done: number, total: number): void;
  /** A note on a line of its own. */
  note(text: string): void;
  end(): void;
}

/** On a terminal, one line that is overwritten; elsewhere, a line for each finished step. */
export const createProgress = ({
  isTerminal,
  writeError,
}: Pick<Environment, "isTerminal" | "writeError">): Progress => {
  const clear = () => {
    if (isTerminal) writeError("\r\u001b[K");
  };
  return {
    show(what, done, total) {
      if (isTerminal) writeError(`\r\u001b[K${what}: ${done} of ${total}`);
      else if (done === total) writeError(`${what}: ${done}\n`);
    },
    note(text) {
      clear();
      writeError(`note: ${text}\n`);
    },
    end: clear,
  };
};
