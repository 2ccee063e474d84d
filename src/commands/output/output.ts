import { escapeControlsInText } from "../../text/escape-controls.ts";

/** A stream that a command prints to. */
export interface Output {
  write(text: string): void;
  /** Waits until all is written. @returns the code of the first failure, such as `ENOSPC`; null where there was none */
  finish(): Promise<string | null>;
}

/**
 * Writes to a stream and notices failures: output that was lost, such as a key that is shown once, must not count as printed.
 * Control characters are escaped: most of what is printed is names and texts from outside.
 */
export const createOutput = (stream: Pick<NodeJS.WriteStream, "write">): Output => {
  let written: Promise<unknown> = Promise.resolve();
  let failure: string | null = null;
  return {
    write(text) {
      const one = new Promise<void>((resolve) => {
        stream.write(escapeControlsInText(text), (error?: (Error & { code?: string }) | null) => {
          // A reader that leaves early has what it wanted.
          if (error && error.code !== "EPIPE") failure ??= error.code ?? error.message;
          resolve();
        });
      });
      written = Promise.all([written, one]);
    },
    async finish() {
      await written;
      return failure;
    },
  };
};

/** What a line of progress begins with: it takes the place of the one before. */
const eraseLine = "\r\u001b[K";

/** A message of a command, with control characters escaped but for that beginning. */
export const messageText = (text: string): string =>
  text.startsWith(eraseLine)
    ? eraseLine + escapeControlsInText(text.slice(eraseLine.length))
    : escapeControlsInText(text);
