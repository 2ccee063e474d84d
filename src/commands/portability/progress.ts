import type { Environment } from "../../program/environment.ts";

/** Shows how far long work is: on a terminal one line that changes, else a line every few seconds. */
interface Progress {
  show(text: string): void;
  /** Clears the terminal's line. */
  end(): void;
}

const terminalEveryMs = 100;
const linesEveryMs = 5_000;

export const createProgress = ({
  writeError,
  isTerminal,
}: Pick<Environment, "writeError" | "isTerminal">): Progress => {
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : performance.now();
  return {
    show(text) {
      const now = performance.now();
      if (now - shownAt < (isTerminal ? terminalEveryMs : linesEveryMs)) return;
      shownAt = now;
      writeError(isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
    },
    end() {
      if (isTerminal) writeError("\r\u001b[K");
    },
  };
};
