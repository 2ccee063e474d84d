import { messageOf } from "../../domain/thrown.ts";
import type { Logger } from "../../log/log.ts";
import type { UpkeepRequest } from "./messages.ts";
import { startUpkeepProcess, type UpkeepProcess } from "./upkeep-process.ts";
import type { Erased, Tidied, UpkeepWork } from "./upkeep-work.ts";

export interface UpkeepApartOptions {
  /** Program and arguments that run `runUpkeepWorker`, without the folder; see `ownCommand`. */
  command: readonly string[];
  /** Of the tables. */
  folder: string;
  /** Does the work where no such process can run. */
  here: UpkeepWork;
  log: Logger;
  /** It ends when it had no work for so long. */
  idleMs?: number;
  /** A piece of work that takes longer fails: it hangs, and removals wait behind it. */
  maxWorkMs?: number;
  /** Where no process could be started, another is tried after so long. */
  retryMs?: number;
}

/** Work on tables that is done in another process, until it is closed. */
export interface UpkeepApart extends UpkeepWork {
  close(): void;
}

const defaultIdleMs = 15_000;
/** Far longer than any table takes: only work that hangs is ended. */
const defaultMaxWorkMs = 6 * 60 * 60_000;
const defaultRetryMs = 60 * 60_000;

/**
 * Does the work in a process of its own, so that questions and commits neither wait behind it for LanceDB's threads nor
 * share its memory: what it needed goes back to the system when it ends. It is started when needed. A process that ends in
 * the middle, such as one that the system takes for too large, fails its work, and the next work starts another.
 */
export const createUpkeepApart = ({
  command,
  folder,
  here,
  log,
  idleMs = defaultIdleMs,
  maxWorkMs = defaultMaxWorkMs,
  retryMs = defaultRetryMs,
}: UpkeepApartOptions): UpkeepApart => {
  let running: UpkeepProcess | null = null;
  let idle: ReturnType<typeof setTimeout> | null = null;
  /** When a process may be started (milliseconds, as `performance.now`). */
  let possibleFrom = 0;

  const endIdle = (): void => {
    if (idle !== null) clearTimeout(idle);
    idle = setTimeout(() => {
      if (running !== null && running.asked > 0) return;
      running?.end();
      running = null;
    }, idleMs);
    idle.unref();
  };

  const start = async (): Promise<UpkeepProcess | null> => {
    try {
      if (running === null || !running.isAlive) running = startUpkeepProcess(command, folder, maxWorkMs);
      await running.ready;
      return running;
    } catch (error) {
      possibleFrom = performance.now() + retryMs;
      running = null;
      log.warn(
        { error: messageOf(error) },
        "no process for the upkeep of tables can be started: the server does it itself",
      );
      return null;
    }
  };

  const ask = async (request: UpkeepRequest): Promise<Tidied | Erased | null> => {
    const process = performance.now() >= possibleFrom ? await start() : null;
    if (process === null) return null;
    try {
      return await process.ask(request);
    } finally {
      endIdle();
    }
  };

  return {
    tidy: async (request) => ((await ask({ kind: "tidy", ...request })) as Tidied | null) ?? (await here.tidy(request)),
    erase: async (request) =>
      ((await ask({ kind: "erase", ...request })) as Erased | null) ?? (await here.erase(request)),
    close() {
      if (idle !== null) clearTimeout(idle);
      running?.end();
      running = null;
    },
  };
};
