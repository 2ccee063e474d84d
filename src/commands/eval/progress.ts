import type { Environment } from "../../program/environment.ts";

export interface Progress {
  /** How far a step is. */
  show(what: string, done: number, total: number): void;
  /** Something to be read, on a line of its own. */
  note(text: string): void;
  end(): void;
}

/** A line on a terminal that is written over; where nobody watches, a line when a step is done. */
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
