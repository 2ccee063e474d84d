import { createTurns } from "./turns.ts";

/** A thread or process that works for this one. */
export interface PooledWorker {
  /** False once it has ended, failed or was ended: it is given nothing more. */
  readonly isAlive: boolean;
  /** Ends it; what it works on fails. */
  end(): void | Promise<void>;
}

interface WorkerPoolOptions<Worker> {
  /** Starts a worker that can work when this resolves. */
  start(): Worker | Promise<Worker>;
  /** 1 unless given. */
  maxWorkers?: number;
  /** What one worker is given at once; 1 unless given. */
  worksAtOnce?: number;
  /** A worker is replaced after as many works, which frees what libraries leaked; left out: never. */
  maxWorks?: number;
  /** A worker that had nothing to do for this long is ended: its memory goes back to the system. */
  idleMs: number;
  /** Works that may wait for a worker; left out: any number. */
  maxWaiting?: number;
  /** What is thrown when more would wait. */
  tooManyWait?(): Error;
  /** What is thrown once the pool is closed. */
  closed?(): Error;
  /** Called when the last worker was ended because it had nothing to do. */
  onRest?(): void;
}

interface WorkerPool<Worker> {
  /**
   * Has a worker do something: one that runs, else a new one. Urgent work goes before other work that waits.
   * @throws what `start` and `work` throw; `tooManyWait`'s and `closed`'s errors; the signal's reason where it fires
   * before there is a worker
   */
  use<Result>(
    work: (worker: Worker) => Promise<Result>,
    signal: AbortSignal,
    urgency?: "urgent" | "other",
  ): Promise<Result>;
  /** Whether a worker runs that can work at once. */
  isReady(): boolean;
  /** Resolves when a worker can work; starts one if none does. @throws what `start` throws */
  makeReady(): Promise<void>;
  /** Ends every worker, and refuses what waits. Resolves when they are gone. */
  close(): Promise<void>;
}

/** A worker with what it does; null while it starts. */
interface Member<Worker> {
  readonly started: Promise<Worker>;
  worker: Worker | null;
  underWay: number;
  works: number;
  idleTimer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Threads or processes that are started when there is work for them, replaced where they ended, and ended when they have
 * nothing to do.
 */
export const createWorkerPool = <Worker extends PooledWorker>(
  options: WorkerPoolOptions<Worker>,
): WorkerPool<Worker> => {
  const { maxWorkers = 1, worksAtOnce = 1, maxWorks = Number.POSITIVE_INFINITY, idleMs, onRest } = options;
  const { maxWaiting = Number.POSITIVE_INFINITY, closed = () => new Error("the pool is closed") } = options;
  const turns = createTurns({
    concurrency: maxWorkers * worksAtOnce,
    lanes: ["urgent", "other"],
    lanesRotate: false,
    maxWaiting,
    tooManyWait: options.tooManyWait ?? closed,
  });
  /** The one that was used last comes last. */
  let members: Member<Worker>[] = [];
  const closing = new AbortController();

  const isUsable = ({ worker }: Member<Worker>): boolean => worker?.isAlive ?? true;
  const drop = (member: Member<Worker>): void => {
    members = members.filter((each) => each !== member);
  };

  const begin = (): Member<Worker> => {
    const started = (async () => await options.start())();
    const member: Member<Worker> = { started, worker: null, underWay: 0, works: 0, idleTimer: undefined };
    members.push(member);
    started.then(
      (worker) => {
        member.worker = worker;
      },
      () => drop(member),
    );
    return member;
  };

  const take = (member: Member<Worker>): Member<Worker> => {
    clearTimeout(member.idleTimer);
    member.underWay += 1;
    return member;
  };

  const takeFree = (): Member<Worker> => {
    members = members.filter((member) => isUsable(member) || member.underWay > 0);
    const free = members.filter((member) => isUsable(member) && member.underWay < worksAtOnce);
    const member = take(free.findLast(({ worker }) => worker !== null) ?? free.at(-1) ?? begin());
    member.works += 1;
    return member;
  };

  /** @returns ends it */
  const takeTurn = async (signal: AbortSignal, lane: string): Promise<() => void> => {
    closing.signal.throwIfAborted();
    if (worksAtOnce === Number.POSITIVE_INFINITY) {
      signal.throwIfAborted();
      return () => undefined;
    }
    const either = AbortSignal.any([signal, closing.signal]);
    return await turns.take("", either, { lane });
  };

  const giveBack = (member: Member<Worker>): void => {
    member.underWay -= 1;
    if (member.underWay > 0 || member.worker === null) return;
    drop(member);
    if (!member.worker.isAlive) return;
    if (closing.signal.aborted || member.works >= maxWorks) return void member.worker.end();
    members.push(member);
    member.idleTimer = setTimeout(() => {
      drop(member);
      void member.worker?.end();
      if (members.length === 0) onRest?.();
    }, idleMs);
    member.idleTimer.unref();
  };

  return {
    async use(work, signal, urgency = "other") {
      const endTurn = await takeTurn(signal, urgency);
      const member = takeFree();
      try {
        const worker = member.worker ?? (await member.started);
        closing.signal.throwIfAborted();
        return await work(worker);
      } finally {
        giveBack(member);
        endTurn();
      }
    },
    isReady: () => members.some(({ worker }) => worker?.isAlive),
    async makeReady() {
      if (closing.signal.aborted || this.isReady()) return;
      const member = take(members.find(({ worker }) => worker === null) ?? begin());
      await member.started.finally(() => giveBack(member));
    },
    async close() {
      closing.abort(closed());
      const ended = members.splice(0).map(async ({ started, idleTimer }) => {
        clearTimeout(idleTimer);
        await (await started.catch(() => null))?.end();
      });
      await Promise.all(ended);
    },
  };
};
