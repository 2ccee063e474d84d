import type { EmbeddedParts } from "./embedded-parts.ts";

/** What a command may touch of the process it runs in; tests give their own. */
export interface Surroundings {
  env: Record<string, string | undefined>;
  /** Absolute. */
  cwd: string;
  /** Standard output: what the command was asked for, nothing else. */
  write(text: string): void;
  /** Standard error: progress, hints, failures, the log. */
  writeError(text: string): void;
  /** A person is watching standard error: progress may overwrite its own line. */
  isTerminal: boolean;
  embedded: EmbeddedParts | null;
  /** Fires when the process is asked to end; the reason is the signal's name. A second signal ends it at once. */
  stop: AbortSignal;
}
