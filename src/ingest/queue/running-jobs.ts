import type { IngestState } from "../prepare/replace-document.ts";
import type { Waiting } from "./backlog.ts";

/** Jobs under way at once: more than have a turn, so that small documents are committed in groups. */
const maxRunning = 512;
const maxRunningPerOrganization = 256;

/** Why a running job is aborted. */
type AbortReason = "closing" | "superseded";

interface Job {
  abort: AbortController;
  isStarted: boolean;
  lastState: IngestState | null;
  done: Promise<void>;
}

/** The jobs under way. */
interface RunningJobs {
  readonly size: number;
  /** Whether all jobs together are at their limit. */
  readonly isFull: boolean;
  /** Whether this organization may start another job. */
  mayStart(organizationId: string): boolean;
  has(id: string): boolean;
  /** Whether the job has its turn: the document can no longer be canceled. */
  isStarted(id: string): boolean;
  /** As last reported by the job; null where none runs. */
  stateOf(id: string): IngestState | null;
  setState(id: string, state: IngestState): void;
  /**
   * Runs a job until it ends.
   * @param run must not throw; `onStart` is to be called when the job has its turn
   */
  run(waiting: Waiting, run: (signal: AbortSignal, onStart: () => void) => Promise<void>, onEnd: () => void): void;
  /** Aborts the job of a document and waits for its end. @returns whether there was one */
  abort(id: string, reason: AbortReason): Promise<boolean>;
  abortAll(reason: AbortReason): Promise<void>;
}

export const createRunningJobs = (): RunningJobs => {
  const jobs = new Map<string, Job>();
  const byOrganization = new Map<string, number>();

  const count = (organizationId: string, change: 1 | -1): void => {
    const running = (byOrganization.get(organizationId) ?? 0) + change;
    if (running === 0) byOrganization.delete(organizationId);
    else byOrganization.set(organizationId, running);
  };

  const abort: RunningJobs["abort"] = async (id, reason) => {
    const job = jobs.get(id);
    job?.abort.abort(reason);
    await job?.done;
    return job !== undefined;
  };

  return {
    get size() {
      return jobs.size;
    },
    get isFull() {
      return jobs.size >= maxRunning;
    },
    mayStart: (organizationId) => (byOrganization.get(organizationId) ?? 0) < maxRunningPerOrganization,
    has: (id) => jobs.has(id),
    isStarted: (id) => jobs.get(id)?.isStarted ?? false,
    stateOf: (id) => jobs.get(id)?.lastState ?? null,
    setState(id, state) {
      const job = jobs.get(id);
      if (job !== undefined) job.lastState = state;
    },
    run({ id, organizationId }, run, onEnd) {
      const job: Job = { abort: new AbortController(), isStarted: false, lastState: null, done: Promise.resolve() };
      jobs.set(id, job);
      count(organizationId, 1);
      const onStart = () => {
        job.isStarted = true;
      };
      job.done = run(job.abort.signal, onStart).finally(() => {
        jobs.delete(id);
        count(organizationId, -1);
        onEnd();
      });
    },
    abort,
    async abortAll(reason) {
      await Promise.all([...jobs.keys()].map((id) => abort(id, reason)));
    },
  };
};
