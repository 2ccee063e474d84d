import { runProgram } from "../../src/commands/line/program.ts";

export interface Run {
  status: number;
  /** Standard output. */
  out: string;
  /** Standard error. */
  err: string;
}

/** Runs a command within this process. */
export const run = async (
  argv: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; stop?: AbortSignal } = {},
): Promise<Run> => {
  let out = "";
  let err = "";
  const status = await runProgram(argv, {
    // The default would make vectors of MiniLM in the background.
    env: { CARREL_LOG_LEVEL: "silent", CARREL_MODELS_EMBEDDING_MODEL: "static", ...options.env },
    cwd: options.cwd ?? "/",
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
    columns: Number.POSITIVE_INFINITY,
    isTerminal: false,
    embedded: null,
    onReload: () => undefined,
    stop: options.stop ?? new AbortController().signal,
  });
  return { status, out, err };
};
