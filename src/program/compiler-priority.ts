import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";

/** What Bun calls the threads that compile what runs often. */
const compilerThread = "JITWorker";
const niceness = 10;
/** They come when there is something to compile, and go after some seconds without. */
const lookEveryMs = 500;
const threads = "/proc/self/task";

/**
 * Has what compiles code go after what serves: in the first seconds of a large ingest it wants as much of two cores as
 * the ingest does, which then takes a tenth longer; afterwards it has its time. On Linux, where a thread has a priority
 * of its own; elsewhere, and where `/proc` cannot be read, nothing is done.
 * @returns ends it
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
