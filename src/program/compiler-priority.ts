import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { untilRestBeat } from "../async/rest-beat.ts";
import { createCpuMeter } from "../system/cpu-meter.ts";

/** Bun's name for the threads that compile frequently run code. */
const compilerThread = "JITWorker";
const niceness = 10;
/** The threads start when there is something to compile, and end after some idle seconds. */
const lookEveryMs = 500;
/**
 * CPU time since the last look that shows work. While the process rests, nothing is compiled: only its CPU time is asked
 * for, and seldom.
 */
const workingCpuMs = 20;
const threads = "/proc/self/task";

/**
 * Gives the compiler's threads a lower priority than the server's: in the first seconds of a large ingest they would
 * take as much of two cores as the ingest, which then takes a tenth longer. On Linux, where a thread has a priority of
 * its own; elsewhere, and where `/proc` cannot be read, nothing is done.
 * @param onRequest registers what is called as each request comes, and returns its removal: work that comes while the
 * process rests is noticed at once
 * @returns stops it
 */
export const lowerCompilerPriority = (onRequest: (listener: () => void) => () => void): (() => void) => {
  /** Threads seen in the last look, and in the one before: a thread gets its name a moment after it begins. */
  let last = new Set<string>();
  let older = last;
  const takeCpuMs = createCpuMeter();
  const lookAtThreads = (): void => {
    const ids = new Set(readdirSync(threads));
    for (const id of ids) if (!older.has(id)) lowerIfCompiler(id);
    [older, last] = [last, ids];
  };
  const look = (): void => {
    isResting = takeCpuMs() < workingCpuMs;
    try {
      if (!isResting) lookAtThreads();
      schedule(isResting ? untilRestBeat() : lookEveryMs);
    } catch {
      forget(); // There is no `/proc`.
    }
  };
  let isResting = false;
  let timer: ReturnType<typeof setTimeout>;
  const schedule = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(look, ms);
    timer.unref();
  };
  schedule(lookEveryMs);
  const forget = onRequest(() => {
    if (!isResting) return;
    isResting = false;
    schedule(lookEveryMs);
  });
  return () => {
    forget();
    clearTimeout(timer);
  };
};

const lowerIfCompiler = (id: string): void => {
  try {
    if (readFileSync(`${threads}/${id}/comm`, "utf8").startsWith(compilerThread)) setPriority(Number(id), niceness);
  } catch {
    // The thread ended meanwhile.
  }
};
