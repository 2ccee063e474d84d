import { resolve } from "node:path";
import { CommandFailure, UsageFailure } from "../../domain/errors.ts";
import type { Environment } from "../../program/environment.ts";
import { isWithin } from "../../system/paths.ts";
import { escapeControls, escapeControlsInText } from "../../text/clean-text.ts";

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

/** The text quoted, so that a shell reads it as one word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const units = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** A number of bytes for people: `1.5 GB`. */
export const sizeText = (bytes: number): string => {
  let size = bytes;
  let unit = 0;
  for (; size >= 1_000 && unit < units.length - 1; unit += 1) size /= 1_000;
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
};

/** Columns as wide as their longest cell, two spaces between; control characters are escaped. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const lines = [head, ...rows].map((row) => row.map(escapeControls));
  const widths = head.map((_, column) => Math.max(...lines.map((row) => Bun.stringWidth(row[column] ?? ""))));
  const padded = (cell: string, column: number) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell));
  return lines.map((row) => `${row.map(padded).join("  ").trimEnd()}\n`).join("");
};

/** What the commands take that print a result. */
export interface OutputOptions {
  config?: string;
  json?: boolean;
}

/** Prints a result: as JSON where that is asked for, else in words. */
export const printResult = <Result>(
  result: Result,
  inWords: (result: Result) => string,
  { json }: Pick<OutputOptions, "json">,
  { write }: Pick<Environment, "write">,
): void => write(json === true ? `${JSON.stringify(result, null, 2)}\n` : inWords(result));

/** Lines of text from outside, each of which stays one. */
export const onePerLine = (lines: readonly string[]): string => `${lines.join("\n").replace(/[^\P{Cc}\n]+/gu, " ")}\n`;

/** The line of a terminal that shows how far something is, each time in place of what it said; elsewhere there is none. */
export const terminalLine = ({ writeError, isTerminal }: Pick<Environment, "writeError" | "isTerminal">) => ({
  show(text: string): void {
    if (isTerminal) writeError(eraseLine + text);
  },
  clear(): void {
    if (isTerminal) writeError(eraseLine);
  },
});

/** Shows how far long work is: on a terminal one line that changes, else a line every few seconds. */
interface Progress {
  show(text: string): void;
  /** Clears the terminal's line. */
  end(): void;
}

const terminalEveryMs = 100;
const linesEveryMs = 5_000;

export const createProgress = (environment: Pick<Environment, "writeError" | "isTerminal">): Progress => {
  const { writeError, isTerminal } = environment;
  const line = terminalLine(environment);
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : performance.now();
  return {
    show(text) {
      const now = performance.now();
      if (now - shownAt < (isTerminal ? terminalEveryMs : linesEveryMs)) return;
      shownAt = now;
      if (isTerminal) line.show(text);
      else writeError(`${text}\n`);
    },
    end: line.clear,
  };
};

/**
 * The absolute path that an argument names.
 * @throws UsageFailure if it is empty: a shell's variable without a value must not stand for the working directory
 */
export const namedPath = (argument: string, cwd: string): string => {
  if (argument === "") throw new UsageFailure("The name of a folder is empty.");
  return resolve(cwd, argument);
};

/**
 * @param what the other folder in words
 * @throws CommandFailure if a folder that is to be written is in the other one
 */
export const assertOutside = async (folder: string, other: string, what: string): Promise<void> => {
  if (await isWithin(other, folder))
    throw new CommandFailure(`${folder} is inside ${what} ${other}: choose another folder.`);
};

const plain = /^[\w@%+=:,./~-]+$/;

/** A path as a shell takes it. */
export const quotedForShell = (path: string): string => (plain.test(path) ? path : quoted(path));
