/** A stream that a command prints to. */
export interface Output {
  write(text: string): void;
  /** Waits until all is written. @returns the code of the first failure, such as `ENOSPC`; null where there was none */
  finish(): Promise<string | null>;
}

/** Writes to a stream and notices failures: output that was lost, such as a key that is shown once, must not count as printed. */
export const createOutput = (stream: Pick<NodeJS.WriteStream, "write">): Output => {
  let written: Promise<unknown> = Promise.resolve();
  let failure: string | null = null;
  return {
    write(text) {
      const one = new Promise<void>((resolve) => {
        stream.write(text, (error?: (Error & { code?: string }) | null) => {
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
