import { isatty } from "node:tty";

/** The signals that concern the whole process. */
interface Signals {
  /** Fires at the first signal that asks the process to end; a second one ends it at once. The reason is its name. */
  readonly stop: AbortSignal;
  /**
   * From now on SIGHUP calls the listener and ends nothing. It still ends the process when it comes because the
   * terminal was closed, as it does without a listener.
   */
  onReload(listener: () => void): void;
}

/**
 * One Ctrl-C can arrive twice: from the terminal, and from the program that started this one, later where the machine
 * is busy.
 */
export const sameSignalMs = 1_000;

const numbers = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

export const watchSignals = (): Signals => {
  const stop = new AbortController();
  const isTerminalGone = watchTerminal();
  let firstAt = 0;
  let reload: (() => void) | null = null;

  const end = (signal: keyof typeof numbers): void => {
    if (!stop.signal.aborted) {
      firstAt = performance.now();
      stop.abort(signal);
    } else if (performance.now() - firstAt > sameSignalMs) process.exit(128 + numbers[signal]);
  };

  process.on("SIGINT", () => end("SIGINT"));
  process.on("SIGTERM", () => end("SIGTERM"));
  process.on("SIGHUP", () => {
    if (reload === null || stop.signal.aborted || isTerminalGone()) end("SIGHUP");
    else reload();
  });
  return {
    stop: stop.signal,
    onReload(listener) {
      reload = listener;
    },
  };
};

/** Those of standard input, output and error that are a terminal now: one that was closed no longer is. */
const watchTerminal = (): (() => boolean) => {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  // Windows sends it only when the console is closed.
  return () => process.platform === "win32" || terminals.some((descriptor) => !isatty(descriptor));
};
