import { createWorkerPool } from "../../async/worker-pool.ts";
import { messageOf } from "../../domain/errors.ts";
import type { Logger } from "../../log/log.ts";
import type { Erased, Tidied, UpkeepWork } from "../engine/upkeep-work.ts";
import { startUpkeepProcess, type UpkeepProcess, type UpkeepRequest, type UpkeepResult } from "./upkeep-process.ts";

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
  /** Ends the process: what it works on fails, and is as after a crash. */
  close(): void;
}

const defaultIdleMs = 15_000;
/** Far longer than any table takes: only work that hangs is ended. */
const defaultMaxWorkMs = 6 * 60 * 60_000;
const defaultRetryMs = 60 * 60_000;

/** No process can be started. */
class NotStartedError extends Error {}

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
  /** When a process may be started (milliseconds, as `performance.now`). */
  let possibleFrom = 0;
  const never = new AbortController().signal;
  let newest: UpkeepProcess | null = null;
  let isClosed = false;

  const pool = createWorkerPool({
    async start() {
      try {
        const started = startUpkeepProcess(command, folder, maxWorkMs);
        newest = started;
        await started.ready;
        return started;
      } catch (error) {
        if (isClosed) throw error;
        possibleFrom = performance.now() + retryMs;
        log.warn(
          { error: messageOf(error) },
          "no process for the upkeep of tables can be started: the server does it itself",
        );
        throw new NotStartedError();
      }
    },
    worksAtOnce: Number.POSITIVE_INFINITY,
    idleMs,
  });

  /** @param here does the work where no process can be started */
  const ask = async (request: UpkeepRequest, here: () => Promise<UpkeepResult>): Promise<UpkeepResult> => {
    if (performance.now() < possibleFrom) return await here();
    try {
      return await pool.use((process) => process.ask(request), never);
    } catch (error) {
      if (error instanceof NotStartedError) return await here();
      throw error;
    }
  };

  return {
    tidy: async (request) => (await ask({ kind: "tidy", ...request }, () => here.tidy(request))) as Tidied,
    erase: async (request) => (await ask({ kind: "erase", ...request }, () => here.erase(request))) as Erased,
    async merge(request) {
      await ask({ kind: "merge", ...request }, async () => {
        await here.merge(request);
        return null;
      });
    },
    close() {
      isClosed = true;
      newest?.end();
      void pool.close();
    },
  };
};
