import type { Environment } from "../../program/environment.ts";

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
