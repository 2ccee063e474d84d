import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import type { Tenant } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import type { Store } from "../../store/contract.ts";
import { noTracer, ownTrace, type Tracer } from "../../tracing/tracer.ts";
import type { IngestPipeline } from "../prepare/contract.ts";
import type { DocumentTurns } from "../prepare/document-turn.ts";
import { createWatchers, type IngestState, type Watchers } from "../prepare/replace-document.ts";
import { createBacklog, createHeldDocuments, createPausedDocuments, type Waiting } from "./backlog.ts";
import { createRefill } from "./refill.ts";
import { type JobDependencies, runJob } from "./run-job.ts";
import { createRunningJobs } from "./running-jobs.ts";

interface IngestQueueOptions {
  store: Store;
  pipeline: IngestPipeline;
  /** Shared with the callers that wait for their own document. */
  turns: DocumentTurns;
  /** Waiting documents of one organization that are held in memory, the rest in the store; 10,000 unless given. */
  maxWaitingPerOrganization?: number;
  /** Records each document's processing; left out: none. */
  tracer?: Tracer;
  log: Logger;
}

/**
 * Processes waiting documents. The durable queue is the documents themselves (`pending`, `processing`); jobs take their
 * turns beside the callers that wait for their own document.
 */
export interface IngestQueue extends Watchers {
  /** Documents that wait in memory, and jobs under way. */
  readonly size: { waiting: number; running: number };
  /** Resumes what an earlier run left, and processes documents from now on. */
  start(): Promise<void>;
  /** Has a stored pending document processed. */
  enqueue(document: Waiting): void;
  /** The state of a running job, more detailed and more recent than the stored one; null where none runs. */
  stateOf(documentId: string): IngestState | null;
  /** True while the document is being processed: it can no longer be canceled. */
  isRunning(documentId: string): boolean;
  /**
   * Runs `work` while nothing else writes under this document. A running job of it is aborted first, and resumed
   * afterwards where the document still waits.
   */
  exclusively<T>(tenant: Tenant, documentId: string, work: () => Promise<T>): Promise<T>;
  /** Aborts what runs (it becomes `pending` again) and starts nothing more. */
  close(): Promise<void>;
}

const maxWaitingPerOrganization = 10_000;
const maxWaitingCharacters = 16 * 1024 * 1024;
/** With more documents than this waiting for another attempt, no new work is started: something is badly wrong. */
const maxPaused = 10_000;

export const createIngestQueue = ({ store, pipeline, turns, log, ...options }: IngestQueueOptions): IngestQueue => {
  const maxPerOrganization = options.maxWaitingPerOrganization ?? maxWaitingPerOrganization;
  const { tracer = noTracer } = options;
  const lock = createKeyedMutex();
  const watchers = createWatchers();
  const backlog = createBacklog({ maxPerOrganization, maxCharacters: maxWaitingCharacters });
  const running = createRunningJobs();
  const paused = createPausedDocuments();
  const held = createHeldDocuments((waiting) => enqueue(waiting));
  let state: "new" | "working" | "closed" = "new";

  const isKnown = (id: string): boolean => backlog.has(id) || running.has(id) || paused.has(id) || held.has(id);
  const notify: Watchers["notify"] = (id, reported) => {
    running.setState(id, reported);
    watchers.notify(id, reported);
  };
  const suspects = createKeyedMutex();
  const startedAt = performance.now();
  const jobs: JobDependencies = { store, pipeline, turns, lock, suspects, startedAt, notify, log };

  const startJobs = (): void => {
    if (state !== "working") return;
    while (!running.isFull && paused.size < maxPaused) {
      const next = backlog.take(running.mayStart);
      if (next === null) break;
      running.run(next, (signal, onStart) => runDocument(next, signal, onStart), startJobs);
    }
    for (const organizationId of backlog.exhausted()) void refill(organizationId);
  };
  const refill = createRefill({ store, backlog, isKnown, onEnd: startJobs, log });

  const runDocument = async (waiting: Waiting, signal: AbortSignal, onStart: () => void): Promise<void> => {
    const { id, organizationId } = waiting;
    try {
      const pauseMs = await tracer.span(
        "ingest document",
        (span) => {
          span.note({ "carrel.document.id": id });
          return runJob(jobs, waiting, signal, onStart);
        },
        ownTrace,
      );
      if (pauseMs !== null && state !== "closed") paused.add({ id, organizationId }, pauseMs, enqueue);
    } catch (error) {
      log.error({ error, documentId: id }, "a job ended in an unforeseen way");
    }
  };

  const enqueue = (waiting: Waiting): void => {
    held.setWaiting(waiting);
    if (state === "closed" || isKnown(waiting.id)) return;
    backlog.add(waiting);
    startJobs();
  };

  /** @returns whether the document waited or was being processed */
  const withdraw = async (id: string): Promise<boolean> => {
    const wasWaiting = backlog.remove(id);
    const wasPaused = paused.remove(id);
    const wasRunning = await running.abort(id, "superseded");
    return wasWaiting || wasPaused || wasRunning;
  };

  return {
    subscribe: watchers.subscribe,
    notify,
    enqueue,
    stateOf: running.stateOf,
    isRunning: running.isStarted,
    get size() {
      return { waiting: backlog.size + paused.size, running: running.size };
    },

    async start() {
      const unfinished = await store.documents.listUnfinished(maxPerOrganization);
      for (const { id, organizationId } of unfinished) backlog.add({ id, organizationId });
      if (unfinished.length === maxPerOrganization) {
        for (const { id } of await store.organizations.list()) backlog.setMore(id, true);
      }
      if (unfinished.length > 0) log.info({ documents: unfinished.length }, "resuming documents of an earlier run");
      state = "working";
      startJobs();
    },

    exclusively: ({ organizationId }, id, work) =>
      held.hold(id, async () => {
        // A document that is finished or gone by then is passed over when its turn comes.
        if (await withdraw(id)) held.setWaiting({ id, organizationId });
        return await lock(id, work);
      }),

    async close() {
      state = "closed";
      paused.clear();
      await running.abortAll("closing");
    },
  };
};
