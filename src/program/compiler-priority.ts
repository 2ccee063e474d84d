import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";

/** Bun's name for the threads that compile frequently run code. */
const compilerThread = "JITWorker";
const niceness = 10;
/** The threads start when there is something to compile, and end after some idle seconds. */
const lookEveryMs = 500;
const threads = "/proc/self/task";

/**
 * Gives the compiler's threads a lower priority than the server's: in the first seconds of a large ingest they would
 * take as much of two cores as the ingest, which then takes a tenth longer. On Linux, where a thread has a priority of
 * its own; elsewhere, and where `/proc` cannot be read, nothing is done.
 * @returns stops it
 */
export const lowerCompilerPriority = (): (() => void) => {
  /** Threads seen in the last look, and in the one before: a thread gets its name a moment after it begins. */
  let last = new Set<string>();
  let older = last;
  const look = (): void => {
    try {
      const ids = new Set(readdirSync(threads));
      for (const id of ids) if (!older.has(id)) lowerIfCompiler(id);
      [older, last] = [last, ids];
    } catch {
      clearInterval(timer);
    }
  };
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
};

const lowerIfCompiler = (id: string): void => {
  try {
    if (readFileSync(`${threads}/${id}/comm`, "utf8").startsWith(compilerThread)) setPriority(Number(id), niceness);
  } catch {
    // The thread ended meanwhile.
  }
};
