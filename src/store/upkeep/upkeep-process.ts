import type { PooledWorker } from "../../async/worker-pool.ts";
import { messageOf } from "../../domain/errors.ts";
import { type Child, killChild, readFrames, startChild, writeFrame } from "../../system/child-process.ts";
import type { Erased, EraseRequest, MergeRequest, Tidied, TidyRequest } from "../engine/upkeep-work.ts";

/** Work that the upkeep process is asked for. */
export type UpkeepRequest =
  | ({ readonly kind: "tidy" } & TidyRequest)
  | ({ readonly kind: "erase" } & EraseRequest)
  | ({ readonly kind: "merge" } & MergeRequest);

/** What is told of work that was done; null of a merge. */
export type UpkeepResult = Tidied | Erased | null;

/** What the server sends it. */
export type UpkeepQuestion = { readonly id: number } & UpkeepRequest;

/** What it answers: first that it is ready, then to each question once, in any order. */
export type UpkeepAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly id: number; readonly result: UpkeepResult }
  | { readonly kind: "failed"; readonly id: number; readonly reason: string };

/**
 * Questions and commits come first. Rows that no index holds yet are kept in memory through longer runs
 * (search/unindexed-snippets.ts). Of 1,000 documents of another tenant beside hostile texts one in a hundred waited for over
 * 112 to 210 ms at 12 (seven runs, median 127), for over 146 ms at 5 (one run).
 */
const niceness = 12;
/** What it runs with: settings of LanceDB, its addon, and the options of the JavaScript engine. */
const passedEnvironment = [
  "NAPI_RS_NATIVE_LIBRARY_PATH",
  "BUN_JSC_forceRAMSize",
  "LD_LIBRARY_PATH",
  "LANCEDB_LOG",
  "LANCE_FTS_NUM_SHARDS",
];
/** It works on one table at a time, and on a merge beside it. */
const threads = { TOKIO_WORKER_THREADS: "2", LANCE_CPU_THREADS: "2" };

/** From its start until it can work. */
const maxStartMs = 60_000;

/** A running upkeep process. */
export interface UpkeepProcess extends PooledWorker {
  /** Resolves when it can work. @throws where it cannot: its addon does not load there */
  readonly ready: Promise<void>;
  /** @throws with what failed, or that the process ended */
  ask(request: UpkeepRequest): Promise<UpkeepResult>;
  /** Ends it once its input is read; at once while it starts or works: that fails. */
  end(): void;
}

/**
 * @param maxWorkMs a piece of work that takes longer fails, and ends the process
 * @throws what the system says where no process can be started
 */
export const startUpkeepProcess = (command: readonly string[], folder: string, maxWorkMs: number): UpkeepProcess => {
  const child = startChild({
    command: [...command, folder],
    environment: { passed: passedEnvironment, set: threads },
    niceness,
  });
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined); // it may end before anybody waits
  const tooLate = setTimeout(() => killChild(child), maxStartMs);
  tooLate.unref();
  const open = new Map<number, PromiseWithResolvers<UpkeepResult>>();
  let lastId = 0;
  let isAlive = true;
  let isReady = false;
  let isTooLong = false;

  const take = (message: UpkeepAnswer): void => {
    if (message.kind === "ready") {
      clearTimeout(tooLate);
      isReady = true;
      ready.resolve();
      return;
    }
    const asked = open.get(message.id);
    open.delete(message.id);
    if (message.kind === "done") asked?.resolve(message.result);
    else asked?.reject(new Error(message.reason));
  };
  void readAnswers(child, take).then((reason) => {
    isAlive = false;
    clearTimeout(tooLate);
    killChild(child);
    const cause = isTooLong ? `: it was ended, for one piece of work took over ${maxWorkMs / 1000} s` : reason;
    const error = new Error(`the upkeep process ended${cause}`);
    ready.reject(error);
    for (const asked of open.values()) asked.reject(error);
    open.clear();
  });

  return {
    ready: ready.promise,
    get isAlive() {
      return isAlive;
    },
    async ask(request) {
      if (!isAlive) throw new Error("the upkeep process ended");
      lastId += 1;
      const asked = Promise.withResolvers<UpkeepResult>();
      open.set(lastId, asked);
      const tooLong = setTimeout(() => {
        isTooLong = true;
        killChild(child);
      }, maxWorkMs);
      tooLong.unref();
      child.stdin.write(writeFrame({ ...request, id: lastId } satisfies UpkeepQuestion));
      await child.stdin.flush();
      return await asked.promise.finally(() => clearTimeout(tooLong));
    },
    end() {
      isAlive = false;
      // Of a busy machine it gets the last of the processors: a store that closes does not wait until it has read.
      if (!isReady || open.size > 0) killChild(child);
      else void child.stdin.end();
    },
  };
};

/** @returns why no more come, for the end of a sentence */
const readAnswers = async (child: Child, take: (answer: UpkeepAnswer) => void): Promise<string> => {
  try {
    for await (const { head } of readFrames(child.stdout, 0)) take(head as UpkeepAnswer);
    return "";
  } catch (error) {
    return `: ${messageOf(error)}`;
  }
};
