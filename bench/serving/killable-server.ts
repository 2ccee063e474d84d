import { join } from "node:path";

/** A running Carrel that may be killed at any moment, also before it is ready. */
export interface KillableServer {
  pid: number;
  /** Where it listens, once it does; null where it ended before. */
  url: Promise<string | null>;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for the end. @returns the exit status */
  stop(): Promise<number>;
}

/**
 * Starts the program on a free port of the loopback address.
 * @param command the binary, or bun and src/main.ts
 * @param onError gets what it says on standard error, which is else shown unless `isQuiet`
 */
export const startKillable = (
  command: readonly string[],
  dataDir: string,
  settings: Record<string, string>,
  isQuiet = false,
  onError: ((text: string) => void) | null = null,
): KillableServer => {
  const child = Bun.spawn([...command, "serve"], {
    cwd: dataDir,
    env: {
      PATH: "", // what is installed on the machine, such as tesseract, changes what files give
      HOME: dataDir,
      TMPDIR: process.env.TMPDIR ?? "/tmp",
      CARREL_DATA_DIR: join(dataDir, "data"),
      CARREL_SERVER_PORT: "0",
      CARREL_LOG_LEVEL: "error",
      ...settings,
    },
    stdout: "pipe",
    stderr: onError !== null ? "pipe" : isQuiet ? "ignore" : "inherit",
  });
  const hearing = async (): Promise<void> => {
    if (child.stderr instanceof ReadableStream)
      for await (const piece of child.stderr.pipeThrough(new TextDecoderStream())) onError?.(piece);
  };
  const heard = hearing();
  const listening = async (): Promise<string | null> => {
    let said = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += piece;
      const url = /listens on (http:\S+)/.exec(said)?.[1];
      if (url !== undefined) return url;
    }
    await heard;
    return null;
  };
  return {
    pid: child.pid,
    url: listening(),
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
    async stop() {
      child.kill("SIGTERM");
      return await child.exited;
    },
  };
};
