import { readdirSync, readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { untilRestBeat } from "../async/rest-beat.ts";
import { createCpuMeter } from "../system/cpu-meter.ts";

/**
 * Niceness by how the name of a thread begins. Bun's compiler threads ("JITWorker") would take as much of two cores in the
 * first seconds of a large ingest as the ingest, which then takes a tenth longer. The analysis of texts takes a whole core
 * while others' questions and ingests go through many short steps: of 2,000 questions and as many ingests beside hostile
 * texts on 2 busy cores, 17 took over 130 ms and 2 over 180 ms with 5, 31 and 4 without.
 */
const nicenessOf: Readonly<Record<string, number>> = { JITWorker: 10, analysis: 5 };
/** The threads start when there is something to do, and end after some idle time. */
const lookEveryMs = 500;
/** CPU time since the last look that shows work. While the process rests, only its CPU time is asked for, and seldom. */
const workingCpuMs = 20;
const threads = "/proc/self/task";

/**
 * Gives the threads that compile and analyze a lower priority than those that answer requests. On Linux, where a thread has
 * a priority of its own; elsewhere, and where `/proc` cannot be read, nothing is done.
 * @param onRequest registers what is called as each request comes, and returns its removal: work that comes while the
 * process rests is noticed at once
 * @returns stops it
 */
export const lowerThreadPriorities = (onRequest: (listener: () => void) => () => void): (() => void) => {
  /** Threads seen in the last look, and in the one before: a thread gets its name a moment after it begins. */
  let last = new Set<string>();
  let older = last;
  const takeCpuMs = createCpuMeter();
  const lookAtThreads = (): void => {
    const ids = new Set(readdirSync(threads));
    for (const id of ids) if (!older.has(id)) lowerIfNamed(id);
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

const lowerIfNamed = (id: string): void => {
  try {
    const name = readFileSync(`${threads}/${id}/comm`, "utf8");
    for (const [start, niceness] of Object.entries(nicenessOf))
      if (name.startsWith(start)) setPriority(Number(id), niceness);
  } catch {
    // The thread ended meanwhile.
  }
};
