import { readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { createCpuMeter, untilIdleCheck } from "../async/idle-check.ts";

/**
 * By how the name of a thread begins: what is added to the niceness of the program, which may have one already. Bun's compiler threads ("JITWorker") would take as much of two cores in the
 * first seconds of a large ingest as the ingest, which then takes a tenth longer. The analysis of texts takes a whole core
 * for as long as long texts come. LanceDB's threads search and commit for several requests at once, while the thread that
 * serves all of them has a little to do for each of many steps. While 3,400 hostile texts were sent to 2 cores, of some
 * 2,000 questions and as many ingests of another organization 46 took over 130 ms and 14 over 180 ms where only the
 * analysis was lowered, 20 and 1 with all of this.
 */
const addedNicenessOf: Readonly<Record<string, number>> = {
  JITWorker: 10,
  analysis: 6,
  "tokio-rt-worker": 3,
  "lance-cpu": 3,
};
/** The threads start when there is something to do, and end after some idle time. */
const lookEveryMs = 500;
/** CPU time since the last look that shows work. While the process rests, only its CPU time is asked for, and seldom. */
const workingCpuMs = 20;
const threads = "/proc/self/task";

/**
 * Gives the threads that compile, analyze and search a lower priority than the one that serves requests. On Linux, where a
 * thread has a priority of its own; elsewhere, and where `/proc` cannot be read, nothing is done.
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
      schedule(isResting ? untilIdleCheck() : lookEveryMs);
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
    for (const [start, added] of Object.entries(addedNicenessOf))
      if (name.startsWith(start)) setPriority(Number(id), Math.min(19, getPriority(process.pid) + added));
  } catch {
    // The thread ended meanwhile.
  }
};
