import { lowerPriority } from "./lower-priority.ts";

/** The environment variables that a process of ours gets: none holds a setting or a secret. */
const passedEnvironment = ["PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ"];

interface ChildOptions {
  /** Program and arguments; see `ownCommand`. */
  command: readonly string[];
  /** Further variables that it gets, by name, and those with a value of their own. */
  environment: { readonly passed: readonly string[]; readonly set: Readonly<Record<string, string>> };
  /** See `lowerPriority`: the server's own work comes first. */
  niceness: number;
}

export type Child = Bun.Subprocess<"pipe", "pipe", "ignore">;

/**
 * Starts a process that works for this one: it is asked on its standard input, answers on its standard output, and ends with
 * this process (`endWithParent`). It has a process group of its own, so that programs it started end with it, and signals
 * of a terminal reach the server alone. An idle one does not keep a finished program running.
 * @throws what the system says where no process can be started
 */
export const startChild = ({ command, environment, niceness }: ChildOptions): Child => {
  const passed = [...passedEnvironment, ...environment.passed].flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value] as const] : [];
  });
  const child = Bun.spawn([...command], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    env: { ...Object.fromEntries(passed), ...environment.set, CARREL_PARENT_PID: String(process.pid) },
    detached: true,
  });
  lowerPriority(child.pid, niceness);
  child.unref();
  return child;
};

/** Ends a process and those that it started. */
export const killChild = (child: Child): void => {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
  child.kill("SIGKILL");
};

/**
 * The command line of this same program with one of its hidden commands. Compiled, the program is its own executable; from
 * source it is Bun with `src/main.ts`.
 */
export const ownCommand = (name: "parse-worker" | "upkeep-worker", mainPath: string): string[] => {
  const isCompiled = mainPath.startsWith("/$bunfs/") || mainPath.includes("~BUN");
  return isCompiled ? [process.execPath, name] : [process.execPath, mainPath, name];
};
